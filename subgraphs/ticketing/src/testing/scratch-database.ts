import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';

/** A real, migrated, empty database that exists for the length of a test. */
export interface ScratchDatabase {
  db: TicketingDatabase;
  url: string;
  stop(): Promise<void>;
}

export async function startScratchDatabase(): Promise<ScratchDatabase> {
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  return {
    db,
    url: database.url,
    async stop() {
      await db.$disconnect();
      await database.drop();
    },
  };
}

/** The same on a server of its own, for a test that changes the server's settings. */
export async function startScratchServer(): Promise<ScratchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-ticketing-'));
  const postgres = await startEmbeddedPostgres(folder, { durable: false });
  await deployMigrations(postgres.url);
  const db = openDatabase(postgres.url);
  return {
    db,
    url: postgres.url,
    async stop() {
      await db.$disconnect();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
