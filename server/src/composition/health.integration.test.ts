import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { expect, it } from 'vitest';

import { infrastructureChecks } from './health.ts';

it('a running process stays ready when the migrations of a newer version are put beside it; one that starts then is not', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'foyer-migrations-'));
  await cp(join(import.meta.dirname, '../../../prisma/migrations'), folder, { recursive: true });
  const db = openDatabase(database.url, { connections: 1 });
  const checks = () => infrastructureChecks({ db, redis: undefined }, folder);
  const running = checks();
  await expect(running['migrations']?.()).resolves.toBeUndefined();

  await mkdir(join(folder, '29991231000000_of_a_newer_version'));
  await writeFile(join(folder, '29991231000000_of_a_newer_version/migration.sql'), 'SELECT 1');

  await expect(running['migrations']?.()).resolves.toBeUndefined();
  await expect(checks()['migrations']?.()).rejects.toThrow('migrations are missing');
  await db.$disconnect();
  await database.drop();
  await rm(folder, { recursive: true });
});
