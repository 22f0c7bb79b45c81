import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { openDataDir } from '../data-dir/data-dir.ts';
import { startEmbeddedServices } from './embedded-services.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-embedded-'));
  await mkdir(join(folder, 'postgres/data'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** How a start on this data folder fails. */
async function refusal(): Promise<Error> {
  const dataDir = await openDataDir(folder);
  const config = readConfig({ DATA_DIR: folder });
  const starting = startEmbeddedServices({
    config,
    dataDir,
    secrets: undefined,
    log: openLog('silent'),
    wanted: ['database'],
  });
  return starting.then(
    () => new Error('it started'),
    (error: unknown) => error as Error,
  );
}

describe('the embedded PostgreSQL', () => {
  it('says in one line, with its folder, why it can not use its data', async () => {
    await writeFile(join(folder, 'postgres/password'), 'secret');

    const refused = await refusal();

    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused.message).toMatch(/^DATA_DIR: PostgreSQL in \S+\/postgres does not start: .*postgresql\.conf.*$/);
  });

  it('names the file of its password when it is missing beside the data, or empty, and makes no other', async () => {
    const file = join(folder, 'postgres/password');
    const missing = new RegExp(`^DATA_DIR: .*: ${file} is missing or empty: restore it from a copy$`);

    expect((await refusal()).message).toMatch(missing);
    await writeFile(file, '');
    expect((await refusal()).message).toMatch(missing);
  });
});
