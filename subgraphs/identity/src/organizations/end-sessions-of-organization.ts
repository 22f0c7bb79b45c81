import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { endSessionsOf, type EndedSession, type EndReason } from '../sessions/end-sessions.ts';

/** Ends all sessions of everybody in an organization, in the order of user ids, which avoids deadlocks. */
export async function endSessionsOfOrganization(
  needs: Pick<Context, 'clock' | 'tokens'>,
  tx: IdentityTransaction,
  organizationId: Id,
  reason: EndReason,
): Promise<EndedSession[]> {
  const people = await tx.authUser.findMany({ where: { orgId: organizationId }, orderBy: { id: 'asc' } });
  const ended: EndedSession[] = [];
  for (const { id } of people) ended.push(...(await endSessionsOf(needs, tx, id, { reason })));
  return ended;
}
