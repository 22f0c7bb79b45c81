import { isUuid, unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { requireLogin } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { holdsPermissionOver } from '../access/staff-scope.ts';
import { campaignNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

export interface CampaignKey {
  organizationId: GivenId;
  workspaceId?: GivenId | null | undefined;
  id: string;
}

/**
 * Finds a campaign that the viewer may change: one of the named workspace, or of the whole organization, because a
 * console names the workspace it shows even when it saves a campaign of the organization.
 *
 * @throws {Refusal} `CAMPAIGN_NOT_FOUND`, for whatever reason
 */
export async function findManagedCampaign(needs: Needs, { id, ...given }: CampaignKey) {
  const [organizationId, workspaceId] = [unproven(given.organizationId), unproven(given.workspaceId)];
  if (![organizationId, id, workspaceId ?? id].every(isUuid)) throw campaignNotFound();
  const campaign = await needs.db.campaign.findFirst({
    where: { id, organizationId, ...(workspaceId && { OR: [{ workspaceId }, { workspaceId: null }] }) },
  });
  if (!campaign || !(await holdsPermissionOver(needs, 'campaign:manage', campaign))) throw campaignNotFound();
  if (workspaceId && !campaign.workspaceId && !(await isOf(needs, organizationId, workspaceId)))
    throw campaignNotFound();
  return campaign;
}

/** Whether a workspace is one of the organization; even open routes must name such a workspace. */
async function isOf({ viewer, permissions }: Needs, organizationId: Id, workspaceId: Id): Promise<boolean> {
  const rights = await permissions.inWorkspace(requireLogin(viewer), workspaceId);
  return rights?.organizationId === organizationId;
}
