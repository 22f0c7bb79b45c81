import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts';
import { deployMigrations, migrationNames } from './migrate.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let db: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-record-types-'));
  postgres = await startEmbeddedPostgres(folder, { durable: false });
}, 120_000);

afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates an empty database and connects to it. */
async function emptyDatabase(name: string): Promise<string> {
  const main = new Client({ connectionString: postgres.url });
  await main.connect();
  await main.query(`CREATE DATABASE ${name}`);
  await main.end();
  const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  db = new Client({ connectionString: url });
  await db.connect();
  return url;
}

/** Returns the type of every column of a schema. */
async function columns(schema: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ name: string; type: string }>(
    `SELECT table_name || '.' || column_name AS name, udt_name AS type
     FROM information_schema.columns WHERE table_schema = $1`,
    [schema],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

describe.each([
  { step: 1, service: 'auth service', schema: 'auth' },
  { step: 5, service: 'core service', schema: 'tenancy' },
])('start-up step $step: the record types of the $service', ({ schema }) => {
  it('are made on an empty store, and at the next start every record is still there', async () => {
    const url = await emptyDatabase(`${schema}_twice`);
    await deployMigrations(url);
    const made = await columns(schema);
    const id = '0a0c0000-0000-4000-8000-00000000ffff';
    await db.query(
      schema === 'auth'
        ? `INSERT INTO auth.organizations (id, name, slug, company_code, updated_at) VALUES ('${id}', 'A', 'a', 'A', now())`
        : `INSERT INTO tenancy.organizations (id, name, updated_at) VALUES ('${id}', 'A', now())`,
    );

    expect(await deployMigrations(url)).toEqual([]);

    expect(made.size).toBeGreaterThan(0);
    expect(await columns(schema)).toEqual(made);
    expect((await db.query(`SELECT id FROM ${schema}.organizations`)).rows).toEqual([{ id }]);
    await db.end();
  });

  it('are only ever added to: no migration takes a column away or changes its type', async () => {
    await emptyDatabase(`${schema}_step_by_step`);
    let before = new Map<string, string>();
    for (const name of await migrationNames()) {
      await db.query(await readFile(join(import.meta.dirname, '../migrations', name, 'migration.sql'), 'utf8'));
      const after = await columns(schema);
      const lost = [...before].filter(([column, type]) => after.get(column) !== type);
      expect([name, lost]).toEqual([name, []]);
      before = after;
    }
    expect(before.size).toBeGreaterThan(0);
    await db.end();
  });
});
