import type { PgBoss } from 'pg-boss';

/** How late a job may be found whose time has come. */
const CHECK_EVERY_MS = 2_000;

/** Queues of the given names with a job that could start now. */
const dueQueues = `
  SELECT DISTINCT name FROM pgboss.job
  WHERE name = ANY($1) AND state IN ('created', 'retry') AND start_after <= now()`;

/**
 * Wakes the workers of this process whose queue has a due job, until the returned function is called. PostgreSQL notifies
 * workers of jobs that may start at once, but not when a retry or a later start is due. pg-boss would look into each
 * queue for those; this is one query for all of them.
 *
 * @param workerIds the ids of the workers of each queue, by its name
 */
export function wakeForDueJobs(boss: PgBoss, workerIds: ReadonlyMap<string, readonly string[]>): () => void {
  let checking = false;
  async function check() {
    if (checking || workerIds.size === 0) return;
    checking = true;
    try {
      const { rows } = await boss.getDb().executeSql(dueQueues, [[...workerIds.keys()]]);
      for (const { name } of rows as { name: string }[]) {
        for (const workerId of workerIds.get(name) ?? []) boss.notifyWorker(workerId);
      }
    } catch {
      // pg-boss reports a database that is away; the next check comes soon.
    } finally {
      checking = false;
    }
  }
  const checks = setInterval(() => void check(), CHECK_EVERY_MS);
  return () => clearInterval(checks);
}
