import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';

/** A real, migrated, empty database that exists for the length of a test. */
export interface ScratchDatabase {
  db: TicketingDatabase;
  url: string;
  stop(): Promise<void>;
}

/** Leaves out: durability. A crash of the machine would lose what it holds. */
export async function startScratchDatabase(): Promise<ScratchDatabase> {
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
