import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { concurrentIndexOf } from './migration-scripts.ts';

/** Those before were applied already when the rule was made. */
const RULE_SINCE = '20261128210000';
const folder = join(import.meta.dirname, '../migrations');
const migrations = globSync('*/migration.sql', { cwd: folder })
  .filter((file) => file >= RULE_SINCE)
  .map((file) => ({ file, script: readFileSync(join(folder, file), 'utf8') }));

const ofTable = String.raw`"?(\w+)"?\."?(\w+)"?`;
const namesIn = (script: string, pattern: string) =>
  [...script.matchAll(new RegExp(pattern, 'gi'))].map(([, schema, table]) => `${schema}.${table}`);

/** The tables whose writers a script keeps out while it builds an index. */
function keptOut(script: string): string[] {
  if (concurrentIndexOf(script)) return [];
  const isNew = new Set(namesIn(script, String.raw`CREATE TABLE ${ofTable}`));
  return namesIn(script, String.raw`CREATE (?:UNIQUE )?INDEX [^;]*?\bON ${ofTable}`).filter(
    (table) => !isNew.has(table),
  );
}

describe('a migration that builds an index', () => {
  it('of a table that is in use does so concurrently, and does nothing else', () => {
    for (const { file, script } of migrations) expect({ [file]: keptOut(script) }).toEqual({ [file]: [] });
  });

  const concurrent = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS a_idx ON media.media (a);';

  it.each([
    ['concurrently', `-- Why.\n${concurrent}\n`, []],
    ['concurrently, beside something else', `${concurrent}\nSELECT 1;`, ['media.media']],
    ['plainly', 'CREATE UNIQUE INDEX "a_idx" ON "media"."media"("a");', ['media.media']],
    ['of a table that it makes', 'CREATE TABLE "media"."a" (b int);\nCREATE INDEX c ON media.a (b);', []],
  ])('%s keeps out whoever writes to %j: %j', (_how, script, tables) => {
    expect(keptOut(script)).toEqual(tables);
  });
});
