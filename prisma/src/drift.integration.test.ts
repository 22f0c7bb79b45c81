import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployMigrations, migrationNames } from './migrate.ts';
import { drift, modelsAsSql } from './schema-engine.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('nothing');
});

afterAll(async () => {
  await database.drop();
});

describe('the migrations', () => {
  it('make exactly the tables that the models describe', async () => {
    expect(await drift(database.url)).toBe('');
  });

  it('are each applied once', async () => {
    expect(await deployMigrations(database.url)).toEqual(await migrationNames());
    expect(await deployMigrations(database.url)).toEqual([]);
  });

  it('name the cause where one fails, which is tried again once the cause is gone', async () => {
    const name = (await migrationNames())[1] ?? '';
    const db = new Client({ connectionString: database.url });
    await db.connect();
    await db.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);

    for (const _attempt of [1, 2])
      await expect(deployMigrations(database.url)).rejects.toThrow(
        new RegExp(`^the migration ${name} failed and was undone: .*already exists.* \\(42\\w+\\)$`),
      );

    await db.query('DROP SCHEMA auth, tenancy, ticketing, media, public CASCADE; CREATE SCHEMA public');
    await db.end();
    expect(await deployMigrations(database.url)).toEqual(await migrationNames());
  });

  it('make exactly the functions, triggers, indexes, statistics and checks of the SQL beside the models', async () => {
    const [migrated, written] = [await createTestDatabase(), await createTestDatabase('nothing')];
    const models = await Array.fromAsync(glob('*.sql', { cwd: folder }));
    const sql = await Promise.all(models.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
    const script = [await modelsAsSql(written.url), ...sql].join('\n');

    const made = await inDatabase(migrated.url, (db) => partsOf(db));
    const described = await inDatabase(written.url, async (db) => {
      await db.query(script);
      return partsOf(db);
    });
    await Promise.all([migrated.drop(), written.drop()]);

    expect(made.length).toBeGreaterThan(100);
    expect(made).toEqual(described);
  });
});

const folder = join(import.meta.dirname, '../models');

async function inDatabase<Result>(url: string, run: (db: Client) => Promise<Result>): Promise<Result> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    return await run(db);
  } finally {
    await db.end();
  }
}

/** PostgreSQL's definition of each part that the Prisma schema can't describe. */
async function partsOf(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ part: string }>(`
    WITH ours AS (SELECT oid FROM pg_namespace WHERE nspname IN ('auth', 'tenancy', 'ticketing', 'media'))
    SELECT pg_get_functiondef(oid) AS part FROM pg_proc WHERE pronamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT c.conrelid::regclass || ': ' || c.conname || ' ' || pg_get_constraintdef(c.oid) FROM pg_constraint c
      WHERE c.connamespace IN (SELECT oid FROM ours)`);
  return rows.map(({ part }) => part).toSorted();
}
