import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { mayTouch } from '../staff-scope.ts';
import { campaignNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

export interface CampaignKey {
  organizationId: GivenId;
  workspaceId?: GivenId | null | undefined;
  id: string;
}

/**
 * Finds a campaign that the viewer may change.
 *
 * @throws {Refusal} `CAMPAIGN_NOT_FOUND`, for whatever reason
 */
export async function findManagedCampaign(needs: Needs, { id, ...given }: CampaignKey) {
  const [organizationId, workspaceId] = [unproven(given.organizationId), unproven(given.workspaceId)];
  if (![organizationId, id, workspaceId ?? id].every(isUuid)) throw campaignNotFound();
  const campaign = await needs.db.campaign.findFirst({
    where: { id, organizationId, ...(workspaceId && { workspaceId }) },
  });
  if (!campaign || !(await mayTouch(needs, 'campaign:manage', campaign))) throw campaignNotFound();
  return campaign;
}
