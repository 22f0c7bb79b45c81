import { forbidden } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { isUuid, mayTouch } from '../staff-scope.ts';
import { drawUpCampaign, type CampaignInput } from './campaign.ts';
import { requireTargetGroup } from './require-target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Args {
  organizationId: string;
  workspaceId?: string | null | undefined;
  input: CampaignInput;
}

/**
 * Makes a campaign, of a workspace or of the whole organization.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TARGET_GROUP_NOT_VALID`
 */
export async function createCampaign(needs: Needs, { organizationId, workspaceId = null, input }: Args) {
  const owned = { organizationId, workspaceId };
  if (!isUuid(organizationId) || !(await mayTouch(needs, 'campaign:manage', owned))) throw forbidden();
  const campaign = drawUpCampaign(input);
  await requireTargetGroup(needs, organizationId, campaign.targetGroupId);

  return needs.db.campaign.create({
    data: { ...owned, ...campaign },
    include: { targetGroup: { select: { name: true } } },
  });
}
