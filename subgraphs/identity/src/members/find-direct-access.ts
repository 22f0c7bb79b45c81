import type { WorkspaceMember } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';

import { assertWithin, findRoleGrant } from '../permissions/role-grant.ts';
import type { WorkspaceChange } from '../workspaces/permit-workspace-change.ts';
import { noDirectAccess } from './refusals.ts';

/**
 * Finds the direct access of a person whom the viewer does not rank below.
 *
 * @throws {Refusal} `MEMBER_NOT_FOUND`, `ROLE_ABOVE_OWN`
 */
export async function findDirectAccess(
  tx: IdentityTransaction,
  { organizationId, workspaceId, own }: WorkspaceChange,
  userId: Id,
): Promise<WorkspaceMember> {
  if (!isUuid(userId)) throw noDirectAccess();
  const member = await tx.workspaceMember.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
  if (!member) throw noDirectAccess();
  const theirs = await findRoleGrant(tx, { organizationId, scope: 'workspace' }, member.role);
  if (own && theirs) assertWithin(own, theirs);
  return member;
}
