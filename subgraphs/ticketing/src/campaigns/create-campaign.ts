import { isUuid, type Id } from '@foyer/shared/ids';
import { forbidden, requireSignedIn } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { mayTouch } from '../staff-scope.ts';
import { drawUpCampaign, type CampaignInput } from './campaign.ts';
import { noWorkspace } from './refusals.ts';
import { requireTargetGroup } from './require-target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Owner {
  organizationId: Id;
  workspaceId: Id | null;
}

interface Args {
  organizationId: Id;
  workspaceId?: Id | null | undefined;
  input: CampaignInput;
}

/**
 * Makes a campaign, of a workspace or of the whole organization.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TARGET_GROUP_NOT_VALID`
 */
export async function createCampaign(needs: Needs, { organizationId, workspaceId = null, input }: Args) {
  const owned = await ownerOf(needs, { organizationId, workspaceId });
  const campaign = drawUpCampaign(input);
  await requireTargetGroup(needs, organizationId, campaign.targetGroupId);

  return needs.db.campaign.create({
    data: { ...owned, ...campaign },
    include: { targetGroup: { select: { name: true } } },
  });
}

/** Whose it is to be. Also whom the documents trust is held to this: a workspace is one of the organization. */
async function ownerOf(needs: Needs, { organizationId, workspaceId }: Owner): Promise<Owner> {
  const viewer = requireSignedIn(needs.viewer);
  if (workspaceId !== null && !isUuid(workspaceId)) throw noWorkspace();
  const owner = { organizationId, workspaceId };
  if (!isUuid(organizationId) || !(await mayTouch(needs, 'campaign:manage', owner))) throw forbidden();
  if (workspaceId === null) return owner;
  const rights = await needs.permissions.inWorkspace(viewer, workspaceId);
  if (rights?.organizationId !== organizationId) throw forbidden();
  return owner;
}
