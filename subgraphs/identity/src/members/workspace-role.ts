import type { IdentityTransaction } from '@foyer/prisma/identity';

import { assertWithin, requireRoleGrant } from '../permissions/role-grant.ts';
import type { WorkspaceChange } from '../workspaces/permit-workspace-change.ts';

/**
 * A role of workspaces that the viewer may give: whom a workspace's own permission let in deals
 * in nothing that they don't hold.
 *
 * @throws {Refusal} `UNKNOWN_ROLE`, `ROLE_ABOVE_OWN`
 */
export async function assertMayDealIn(
  tx: IdentityTransaction,
  { organizationId, own }: Pick<WorkspaceChange, 'organizationId' | 'own'>,
  role: string,
): Promise<void> {
  const wanted = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
  if (own) assertWithin(own, wanted);
}
