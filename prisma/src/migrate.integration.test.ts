import { Client } from 'pg';
import { expect, it } from 'vitest';

import { deployMigrations } from './migrate.ts';
import { createTestDatabase } from './testing/test-database.ts';

/** The lock of Prisma's engine, which prevents migrations at the same time. */
const MIGRATION_LOCK = 72_707_369;

it('migrations that lose the database say so', async () => {
  const [away, other] = await Promise.all([createTestDatabase('nothing'), createTestDatabase('nothing')]);
  const name = new URL(away.url).pathname.slice(1);
  const [holder, main] = [away, other].map(({ url }) => new Client({ connectionString: url }));
  holder?.on('error', () => undefined);
  await Promise.all([holder?.connect(), main?.connect()]);
  await holder?.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);

  const outcome = deployMigrations(away.url).then(
    () => 'migrated',
    (error: unknown) => (error as Error).message,
  );
  const waiting = 'FROM pg_stat_activity WHERE datname = $1 AND wait_event = $2';
  await expect
    .poll(async () => (await main?.query(`SELECT 1 ${waiting}`, [name, 'advisory']))?.rowCount, { timeout: 20_000 })
    .toBe(1);
  await main?.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  // Not the holder: with the lock free, the migrations would go on, and fail by whatever they do next.
  await main?.query(`SELECT pg_terminate_backend(pid) ${waiting}`, [name, 'advisory']);

  expect(await outcome).toContain('terminating connection');
  await main?.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await Promise.all([holder?.end(), main?.end()]);
  await Promise.all([away.drop(), other.drop()]);
});
