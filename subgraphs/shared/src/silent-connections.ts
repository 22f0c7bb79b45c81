import type { Pool, PoolClient } from 'pg';

import { isLost } from './database-reachable.ts';

/** When PostgreSQL counts as hanging. */
export interface Silence {
  /** How long a connection is in use before a look at whether PostgreSQL still answers, and between two looks. */
  lookAfterMs: number;
  /** How long PostgreSQL may take to answer it. */
  answerMs: number;
}

const usual: Silence = { lookAfterMs: 20_000, answerMs: 10_000 };

/**
 * Ends the connections of a pool that are in use while PostgreSQL answers nobody, or does not know them any more, so that
 * whoever waits for it is told. As long as it knows them a statement may take any time: migrations and batches do.
 */
export function endSilentConnections(pool: Pool, databaseUrl: string, { lookAfterMs, answerMs } = usual): void {
  const looks = new WeakMap<PoolClient, NodeJS.Timeout>();
  function lookLater(client: PoolClient) {
    const timer = setTimeout(() => void look(), lookAfterMs).unref();
    looks.set(client, timer);
    async function look() {
      const lost = await isLost(databaseUrl, client, answerMs);
      if (looks.get(client) !== timer) return; // it was answered meanwhile
      if (lost) void client.end(); // fails the statement under way, and every later one
      else lookLater(client);
    }
  }
  pool.on('acquire', lookLater);
  pool.on('release', (_error, client) => {
    clearTimeout(looks.get(client));
    looks.delete(client);
  });
}
