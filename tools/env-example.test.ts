import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { envOf, newEnv, readers, servicesWith } from '../server/src/distributed/testing/compose-file.ts';
import { envExample } from './env-example.ts';

/** Documented variables that the file leaves to docs/operations.md. */
const ofOthers = /^OTEL_|^SUPERGRAPH_RELOAD_MS$/;

/** The variables in the tables of docs/operations.md. */
function documented(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  const tables = text.split('\n\n').filter((part) => /^\| variable +\|/.test(part));
  const cells = tables.flatMap((table) => table.split('\n').map((row) => row.split('|')[1] ?? ''));
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
}

it('.env.example lists every documented variable', () => {
  const listed = new Set([...envExample().matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name));
  expect(documented().length).toBeGreaterThan(120);
  expect(documented().filter((name) => !listed.has(name) && !ofOthers.test(name))).toEqual([]);
});

/** What docker-compose.yml decides, whatever `.env` says. */
const decided = ['NODE_ENV', 'TRUSTED_PROXIES', 'UPLOAD_SERVER_URL'];

it('what .env says reaches every process that gets the variable, but for what docker-compose.yml decides', async () => {
  const secrets = await newEnv();
  const [usual, told] = [{}, Object.fromEntries(documented().map((name) => [name, `the ${name} of .env`]))].map((env) =>
    servicesWith({ ...secrets, ...env }),
  );
  const processes = Object.keys(readers).filter((name) => name !== 'migrate'); // it has an address of the database for itself
  const unheard = documented().filter((name) =>
    processes.some(
      (each) => name in envOf(usual?.[each]) && !envOf(told?.[each])[name]?.includes(`the ${name} of .env`),
    ),
  );
  expect(unheard.toSorted()).toEqual(decided);
});

it('an operator adds services to those that no node may be, and removes none', async () => {
  const secrets = await newEnv();
  const named = (env: Record<string, string>) => {
    const { media } = servicesWith({ ...secrets, ...env });
    return envOf(media)['OWN_SERVICES']?.split(',') ?? [];
  };
  const usual = named({});
  expect(usual).toContain('zitadel:8080');
  expect(new Set(named({ OWN_SERVICES: 'smtp.internal:25,db.internal:5432' }))).toEqual(
    new Set([...usual, 'smtp.internal:25', 'db.internal:5432']),
  );
});
