import type { TeamWorkspaceRole } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, unproven, type GivenId, type Id } from '@foyer/shared/ids';

import { notGranted } from './refusals.ts';

/**
 * Finds a team's grant in a workspace.
 *
 * @throws {Refusal} `TEAM_WORKSPACE_NOT_FOUND`
 */
export async function findTeamWorkspace(
  tx: IdentityTransaction,
  teamId: Id,
  given: GivenId,
): Promise<TeamWorkspaceRole> {
  const workspaceId = unproven(given);
  const found = isUuid(workspaceId)
    ? await tx.teamWorkspaceRole.findUnique({ where: { teamId_workspaceId: { teamId, workspaceId } } })
    : null;
  if (!found) throw notGranted();
  return found;
}
