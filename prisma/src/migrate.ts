import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { runOnce } from '@foyer/shared/process/run-once';
import { Client } from 'pg';

import type { PrismaClient } from './client.ts';

const root = join(import.meta.dirname, '..');

/**
 * Applies the missing migrations, in a process that ends; returns their names.
 *
 * @throws {Error} in one line that names the migration that failed
 */
export async function deployMigrations(databaseUrl: string): Promise<string[]> {
  if (await isMigrated(databaseUrl)) return []; // loading the engine takes a third of a second of CPU
  return (await runOnce(new URL('migrate-process.ts', import.meta.url), { databaseUrl })) as string[];
}

/** Returns the names of all migrations, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const files = await Array.fromAsync(glob('migrations/*/migration.sql', { cwd: root }));
  return files.toSorted().map((file) => file.split('/')[1] ?? '');
}

/** Returns the migrations that a database has not applied completely. */
export async function missingMigrations(db: Pick<PrismaClient, '$queryRaw'>): Promise<string[]> {
  const applied = await db.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const names = new Set(applied.map(({ migration_name }) => migration_name));
  return (await migrationNames()).filter((name) => !names.has(name));
}

/** Returns whether every migration was applied completely, by a query alone, without the engine. */
async function isMigrated(databaseUrl: string): Promise<boolean> {
  const db = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await db.connect();
  try {
    const { rows } = await db.query<{ known: string | null }>(`SELECT to_regclass('_prisma_migrations') AS known`);
    if (!rows[0]?.known) return false;
    const { rows: applied } = await db.query<{ name: string; done: boolean }>(
      `SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    const done = new Set(applied.filter((migration) => migration.done).map(({ name }) => name));
    return applied.every((migration) => migration.done) && (await migrationNames()).every((name) => done.has(name));
  } finally {
    await db.end();
  }
}
