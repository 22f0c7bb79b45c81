import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { doubleAccess } from './refusals.ts';

/**
 * Direct access and access through a team exclude each other. These checks look at rows that others may be adding: call
 * them only while holding `lockOrganization`.
 */

/** @throws {Refusal} `DOUBLE_ACCESS` when a team of the person's has a role in the workspace */
export async function assertNotThroughTeam(tx: IdentityTransaction, workspaceId: Id, userId: Id) {
  const through = await tx.teamWorkspaceRole.count({ where: { workspaceId, team: { members: { some: { userId } } } } });
  if (through > 0) throw doubleAccess([userId]);
}

/** @throws {Refusal} `DOUBLE_ACCESS` when one of the people has direct access to one of the workspaces */
export async function assertNotDirectly(tx: IdentityTransaction, workspaceIds: readonly Id[], userIds: readonly Id[]) {
  const direct = await tx.workspaceMember.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, userId: { in: [...userIds] } },
  });
  if (direct.length > 0) throw doubleAccess([...new Set(direct.map(({ userId }) => userId))]);
}
