import { audit, type AuditFact } from '@foyer/identity/write-audit';
import { openDatabase } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { missingMigrations } from '@foyer/prisma/migrate';
import { systemClock } from '@foyer/shared/clock';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';

import type { Later } from '../unwinding.ts';
import type { Reached } from './reach.ts';

/** Who it was, in the audit log. */
export const OPERATOR = 'operator';

/** Nothing but the result goes to the terminal. */
export const quiet = openLog('silent');

const GOODBYE_MS = 2_000;

/** Writes down what an operator does. Every subgraph is in one database: its transactions take identity's log along. */
export const noteOperator = (tx: object, fact: Omit<AuditFact, 'userId' | 'ip'>): Promise<void> =>
  audit(tx as IdentityTransaction, { ...fact, userId: OPERATOR });

/**
 * What use cases work with, at a database that is as this version needs it.
 *
 * @throws {Error} when migrations are missing
 */
export async function openDesk({ env }: Reached, later: Later) {
  const db = later(openDatabase(env['DATABASE_URL'] ?? '', { connections: 2 }), (open) => open.$disconnect());
  const missing = await missingMigrations(db).catch(() => ['all']);
  if (missing.length > 0) throw new Error(`the database lacks migrations (${missing.join(', ')}): pnpm foyer migrate`);
  return { db, clock: systemClock, log: quiet };
}

/** The same, and the queue to ask for work. */
export async function openWorkDesk(reached: Reached, later: Later) {
  const desk = await openDesk(reached, later);
  const databaseUrl = reached.env['DATABASE_URL'] ?? '';
  const jobs = later(await openJobs({ databaseUrl, log: quiet, asksOnly: true }), (open) => open.stop(GOODBYE_MS));
  return { ...desk, jobs };
}
