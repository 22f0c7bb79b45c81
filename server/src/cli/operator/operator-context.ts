import { audit, type AuditFact } from '@foyer/identity/write-audit';
import { openDatabase } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUnmigrated, missingMigrations } from '@foyer/prisma/migrate';
import { systemClock } from '@foyer/shared/clock';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';

import type { Installation } from './installation.ts';

/** The actor of commands in the audit log. */
export const OPERATOR = 'operator';

/** Commands print their result only. */
export const silentLog = openLog('silent');

const STOP_LIMIT_MS = 2_000;

/**
 * Writes what an operator does to the audit log, in the transaction that does it.
 *
 * @param tx a client or transaction of any subgraph. Their types are narrowed to their own tables, but all are the one
 *   Prisma client on the one database: hence the cast.
 */
export const auditOperator = (tx: object, fact: Omit<AuditFact, 'userId' | 'ip'>): Promise<void> =>
  audit(tx as IdentityTransaction, { ...fact, userId: OPERATOR });

/**
 * Opens the dependencies of use cases that commands call, on a database with every migration.
 *
 * @throws {Error} when migrations are missing
 */
export async function openOperatorContext({ env }: Installation, stack: AsyncDisposableStack) {
  const db = stack.adopt(openDatabase(env['DATABASE_URL'] ?? '', { connections: 2 }), (open) => open.$disconnect());
  const missing = await missingMigrations(db).catch((error: unknown) => {
    if (isUnmigrated(error)) return ['all'];
    throw error;
  });
  if (missing.length > 0) throw new Error(`the database lacks migrations (${missing.join(', ')}): pnpm foyer migrate`);
  return { db, clock: systemClock, log: silentLog };
}

/** Like {@link openOperatorContext}, with the queue to enqueue jobs. */
export async function openOperatorContextWithJobs(installation: Installation, stack: AsyncDisposableStack) {
  const context = await openOperatorContext(installation, stack);
  const databaseUrl = installation.env['DATABASE_URL'] ?? '';
  const jobs = stack.adopt(await openJobs({ databaseUrl, log: silentLog, enqueueOnly: true }), (open) =>
    open.stop(STOP_LIMIT_MS),
  );
  return { ...context, jobs };
}
