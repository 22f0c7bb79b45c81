import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { deployMigrations, migrationNames } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let db: Client;

beforeEach(async () => {
  database = await createTestDatabase('nothing');
  db = new Client({ connectionString: database.url });
  await db.connect();
});

afterEach(async () => {
  await db.end();
  await database.drop();
});

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
    await deployMigrations(database.url);
    const made = await columns(schema);
    const id = '0a0c0000-0000-4000-8000-00000000ffff';
    await db.query(
      schema === 'auth'
        ? `INSERT INTO auth.organizations (id, name, slug, company_code, updated_at) VALUES ('${id}', 'A', 'a', 'A', now())`
        : `INSERT INTO tenancy.organizations (id, name, updated_at) VALUES ('${id}', 'A', now())`,
    );

    expect(await deployMigrations(database.url)).toEqual([]);

    expect(made.size).toBeGreaterThan(0);
    expect(await columns(schema)).toEqual(made);
    expect((await db.query(`SELECT id FROM ${schema}.organizations`)).rows).toEqual([{ id }]);
  });

  it('are only ever added to: no migration takes a column away or changes its type', async () => {
    let before = new Map<string, string>();
    for (const name of await migrationNames()) {
      await db.query(await readFile(join(import.meta.dirname, '../migrations', name, 'migration.sql'), 'utf8'));
      const after = await columns(schema);
      const lost = [...before].filter(([column, type]) => after.get(column) !== type);
      expect([name, lost]).toEqual([name, []]);
      before = after;
    }
    expect(before.size).toBeGreaterThan(0);
  });
});
