import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';
import { forbidden, requireLogin } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { permitOver } from '../access/staff-scope.ts';
import { drawUpCampaign, type CampaignInput } from './campaign.ts';
import { noWorkspace } from './refusals.ts';
import { requireTargetGroup, throwUnlessTargetGroup } from './require-target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Args {
  organizationId: GivenId;
  workspaceId?: GivenId | null | undefined;
  input: CampaignInput;
}

/**
 * Creates a campaign of a workspace or of the whole organization.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TARGET_GROUP_NOT_VALID`
 */
export async function createCampaign(needs: Needs, { organizationId, workspaceId = null, input }: Args) {
  const owned = await ownerOf(needs, { organizationId, workspaceId });
  const campaign = drawUpCampaign(input);
  await requireTargetGroup(needs, owned.organizationId, campaign.targetGroupId);

  const data = { ...owned, ...campaign };
  const include = { targetGroup: { select: { name: true } } };
  return needs.db.campaign.create({ data, include }).catch(throwUnlessTargetGroup);
}

/** Decides the owner. Even open routes must name a workspace of the organization. */
async function ownerOf(needs: Needs, given: { organizationId: GivenId; workspaceId: GivenId | null }) {
  const viewer = requireLogin(needs.viewer);
  if (given.workspaceId !== null && !isUuid(unproven(given.workspaceId))) throw noWorkspace();
  const owner = await permitOver(needs, 'campaign:manage', given);
  const { organizationId, workspaceId } = owner;
  if (workspaceId === null) return owner;
  const rights = await needs.permissions.inWorkspace(viewer, workspaceId);
  if (rights?.organizationId !== organizationId) throw forbidden();
  return owner;
}
