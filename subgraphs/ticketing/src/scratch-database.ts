import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';

/** A real database with the real tables, for the length of one test file. */
export async function openScratchDatabase(): Promise<{ db: TicketingDatabase; url: string; drop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-ticketing-'));
  const postgres = await startEmbeddedPostgres(folder, { durable: false });
  await deployMigrations(postgres.url);
  const db = openDatabase(postgres.url, { connections: 4 });
  return {
    db,
    url: postgres.url,
    async drop() {
      await db.$disconnect();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
