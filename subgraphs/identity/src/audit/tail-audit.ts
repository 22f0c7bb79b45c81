import { setTimeout as sleep } from 'node:timers/promises';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { AuditEntry } from '@foyer/prisma/client';
import { databaseBusy } from '@foyer/shared/database-errors';

import { organizationByCode } from '../tenancy/organization-by-code.ts';
import { organizationNotFound } from '../tenancy/refusals.ts';

type Needs = Pick<IdentityDatabase, 'auditEntry' | 'authOrganization'>;

interface Tail {
  /** Limits the log to this organization. */
  companyCode?: string | undefined;
  /** Limits the log to this action, such as `session.ended`. */
  action?: string | undefined;
  /** How many of the newest entries come first. */
  lines: number;
  /** Follows the log until this aborts. */
  follow?: AbortSignal | undefined;
}

const POLL_MS = 500;
/** Ids are assigned before transactions commit: a smaller one may appear after a bigger one. */
const LATECOMERS = 200n;

/**
 * Reads the audit log of all organizations, for the operator: the newest entries, the oldest of them first.
 *
 * @throws {Refusal} `ORGANIZATION_NOT_FOUND`
 */
export async function* tailAudit(
  db: Needs,
  { companyCode, action, lines, follow }: Tail,
): AsyncGenerator<AuditEntry, void> {
  const organizationId = companyCode && (await organizationOf(db, companyCode));
  const where = { ...(organizationId && { organizationId }), ...(action && { action }) };
  const newest = await db.auditEntry.findMany({
    where,
    orderBy: { id: 'desc' },
    take: Math.max(lines, Number(LATECOMERS)),
  });
  yield* newest.slice(0, lines).toReversed();

  let last = newest[0]?.id ?? 0n;
  let seen = new Set(newest.map(({ id }) => id));
  if (!follow) return;
  while (await pause(follow)) {
    const later = { ...where, id: { gt: last - LATECOMERS } };
    const found = await db.auditEntry.findMany({ where: later, orderBy: { id: 'asc' } }).catch(noneWhileAway);
    yield* found.filter(({ id }) => !seen.has(id));
    seen = new Set([...seen, ...found.map(({ id }) => id)].filter((id) => id > last - 2n * LATECOMERS));
    last = found.at(-1)?.id ?? last;
  }
}

/** Whoever follows the log must not miss what comes after the database was restarted. */
function noneWhileAway(error: unknown): AuditEntry[] {
  if (!databaseBusy(error)) throw error;
  return [];
}

async function organizationOf(db: Needs, companyCode: string): Promise<string> {
  const found = await organizationByCode(db, companyCode);
  if (!found) throw organizationNotFound();
  return found.id;
}

/** @returns whether to go on */
const pause = (signal: AbortSignal): Promise<boolean> => sleep(POLL_MS, true, { signal }).catch(() => false);
