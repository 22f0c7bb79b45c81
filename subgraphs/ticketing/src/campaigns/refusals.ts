import { badInput, Refusal } from '@foyer/shared/errors';

/** The documented message; also for a campaign of another organization. */
export const campaignNotFound = () =>
  new Refusal('NOT_FOUND', 'CAMPAIGN_NOT_FOUND', 'Campaign not found or permission denied');

export const targetGroupNotValid = () =>
  new Refusal('BAD_USER_INPUT', 'TARGET_GROUP_NOT_VALID', 'The target group is not one of this organization.');

export const noWorkspace = () => badInput([{ path: 'workspaceId', message: 'must be the id of a workspace' }]);
