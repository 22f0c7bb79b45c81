import { Refusal } from '@foyer/shared/errors';

export const organizationNotActive = () =>
  new Refusal('CONFLICT', 'ORGANIZATION_NOT_ACTIVE', 'Nobody can be added to an organization that is not active.');

export const belongsElsewhere = () =>
  new Refusal('CONFLICT', 'USER_BELONGS_ELSEWHERE', 'This person belongs to another organization.');
