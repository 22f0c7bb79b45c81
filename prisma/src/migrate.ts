import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { runOnce } from '@foyer/shared/process/run-once';
import { Client } from 'pg';

import type { PrismaClient } from './client.ts';

/** The code of PostgreSQL for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';
const migrations = join(import.meta.dirname, '../migrations');

/**
 * Applies the missing migrations, in a process that ends; returns their names.
 *
 * @param logLevel of that process, which says on standard error whom it waits for
 * @throws {Error} in one line that names the migration that failed
 * @throws {ConfigError} when the user of the database may not do it, or the database is read-only
 */
export async function deployMigrations(databaseUrl: string, logLevel = 'warn'): Promise<string[]> {
  try {
    if (await isMigrated(databaseUrl)) return []; // loading the engine takes a third of a second of CPU
    return (await runOnce(new URL('migrate-process.ts', import.meta.url), { databaseUrl, logLevel })) as string[];
  } catch (error) {
    const [denied] = /^permission denied .*/m.exec((error as Error).message.replace('ERROR: ', '')) ?? [];
    throw denied ? new ConfigError(`DATABASE_URL: its user lacks a right: ${denied}`) : error;
  }
}

/** Returns the names of all migrations, oldest first. */
export async function migrationNames(folder = migrations): Promise<string[]> {
  const files = await Array.fromAsync(glob('*/migration.sql', { cwd: folder }));
  return files.toSorted().map((file) => file.split('/')[0] ?? '');
}

/** Returns the migrations, by default of all, that a database has not applied completely. */
export async function missingMigrations(
  db: Pick<PrismaClient, '$queryRaw'>,
  needed?: readonly string[],
): Promise<string[]> {
  const applied = await db.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const names = new Set(applied.map(({ migration_name }) => migration_name));
  return (needed ?? (await migrationNames())).filter((name) => !names.has(name));
}

/** Returns whether a query of migrations failed because the database has had none yet. */
export function isUnmigrated(error: unknown): boolean {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } };
  return meta?.driverAdapterError?.cause?.originalCode === UNDEFINED_TABLE;
}

/**
 * Returns whether every migration was applied completely, by a query alone, without the engine.
 *
 * @throws {ConfigError} when the database is read-only: nothing could run on it
 */
async function isMigrated(databaseUrl: string): Promise<boolean> {
  const db = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await db.connect();
  try {
    const { rows } = await db.query<{ known: string | null; readOnly: boolean }>(
      `SELECT to_regclass('_prisma_migrations') AS known, current_setting('transaction_read_only')::bool AS "readOnly"`,
    );
    if (rows[0]?.readOnly)
      throw new ConfigError('DATABASE_URL: the database is read-only: name its primary server, not a replica');
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
