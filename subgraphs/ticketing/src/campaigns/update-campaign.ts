import type { Context } from '../context.ts';
import { drawUpCampaign, type CampaignInput } from './campaign.ts';
import { findManagedCampaign, type CampaignKey } from './find-managed-campaign.ts';
import { campaignNotFound } from './refusals.ts';
import { requireTargetGroup, throwUnlessTargetGroup } from './require-target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Replaces a campaign; its status stays when missing.
 *
 * @throws {Refusal} `CAMPAIGN_NOT_FOUND`, `VALIDATION_FAILED`, `TARGET_GROUP_NOT_VALID`
 */
export async function updateCampaign(needs: Needs, { input, ...key }: CampaignKey & { input: CampaignInput }) {
  const before = await findManagedCampaign(needs, key);
  const { id, organizationId } = before;
  const campaign = drawUpCampaign(input, before);
  await requireTargetGroup(needs, organizationId, campaign.targetGroupId);

  const include = { targetGroup: { select: { name: true } } };
  const [updated] = await needs.db.campaign
    .updateManyAndReturn({ where: { id }, data: campaign, include })
    .catch(throwUnlessTargetGroup);
  if (!updated) throw campaignNotFound(); // somebody has just deleted it
  return updated;
}
