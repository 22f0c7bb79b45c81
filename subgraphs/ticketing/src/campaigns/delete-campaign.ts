import type { Context } from '../context.ts';
import { findManagedCampaign, type CampaignKey } from './find-managed-campaign.ts';
import { campaignNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Deletes a campaign.
 *
 * @throws {Refusal} `CAMPAIGN_NOT_FOUND`
 */
export async function deleteCampaign(needs: Needs, key: CampaignKey): Promise<string> {
  const { id } = await findManagedCampaign(needs, key);
  const { count } = await needs.db.campaign.deleteMany({ where: { id } });
  if (count === 0) throw campaignNotFound();
  return id;
}
