import { Refusal } from '@foyer/shared/errors';

export const lastPlatformOwner = () =>
  new Refusal('CONFLICT', 'LAST_PLATFORM_OWNER', 'The platform keeps its last owner.');

export const notPlatformOwner = () =>
  new Refusal('NOT_FOUND', 'PLATFORM_OWNER_NOT_FOUND', 'This person is no owner of the platform.');
