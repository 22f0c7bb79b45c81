import type { AuditEntry } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { readConnection, unknownCursor, type PageArguments } from '@foyer/shared/pagination';

/** An entry of the audit log, as GraphQL shows it. */
export interface SeenAuditEntry {
  id: string;
  at: string;
  action: string;
  result: 'DONE' | 'REFUSED';
  reason: string | null;
  actorId: string | null;
  targetKind: string | null;
  targetId: string | null;
  ip: string | null;
  requestId: string | null;
}

/**
 * The audit log of an organization, the newest first, as a connection.
 *
 * @throws {Refusal} `FORBIDDEN` without `org:security:view` there
 */
export async function listAudit(
  needs: Pick<Context, 'viewer' | 'db' | 'permissions'>,
  {
    organizationId: given,
    action,
    ...page
  }: PageArguments & { organizationId: GivenId; action?: string | null | undefined },
) {
  const { organizationId } = await permitInOrganization(needs, given, 'org:security:view');
  const where = { organizationId, ...(action && { action }) };
  const connection = await readConnection(page, {
    find: ({ after, skip, take }) =>
      needs.db.auditEntry.findMany({ where: { ...where, id: olderThan(after) }, orderBy: { id: 'desc' }, skip, take }),
    count: () => needs.db.auditEntry.count({ where }),
    keyOf: ({ id }) => String(id),
  });
  return { ...connection, edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: seen(node) })) };
}

function olderThan(cursor: string | undefined): { lt?: bigint } {
  if (cursor === undefined) return {};
  if (!/^\d{1,18}$/.test(cursor)) throw unknownCursor();
  return { lt: BigInt(cursor) };
}

const seen = ({ id, at, outcome, address, ...entry }: AuditEntry): SeenAuditEntry => ({
  ...entry,
  id: String(id),
  at: at.toISOString(),
  result: outcome === 'done' ? 'DONE' : 'REFUSED',
  ip: address,
});
