import type { Pool } from 'pg';
import { Gauge } from 'prom-client';

const pools = new Set<Pool>();

const connections = new Gauge({
  name: 'foyer_database_connections',
  help: 'Connections of this process to the database: busy, idle, and statements waiting for one.',
  labelNames: ['state'],
  collect() {
    let [busy, idle, waiting] = [0, 0, 0];
    for (const pool of pools) {
      if (pool.ended) pools.delete(pool);
      busy += pool.totalCount - pool.idleCount;
      idle += pool.idleCount;
      waiting += pool.waitingCount;
    }
    connections.set({ state: 'busy' }, busy);
    connections.set({ state: 'idle' }, idle);
    connections.set({ state: 'waiting' }, waiting);
  },
});

/** Includes a pool in the metrics while it is open. */
export const watchPool = (pool: Pool): void => void pools.add(pool);
