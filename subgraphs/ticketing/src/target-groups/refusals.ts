import { Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const targetGroupNotFound = () =>
  new Refusal('NOT_FOUND', 'TARGET_GROUP_NOT_FOUND', 'There is no such target group.');

export const targetGroupExists = () =>
  new Refusal('CONFLICT', 'TARGET_GROUP_EXISTS', 'This organization has a target group of that name already.');

export const targetGroupInUse = () =>
  new Refusal('CONFLICT', 'TARGET_GROUP_IN_USE', 'Campaigns are aimed at this target group: it can not be deleted.');
