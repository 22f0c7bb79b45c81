import { Refusal } from '@foyer/shared/errors';

export const unknownApps = (apps: readonly string[]) =>
  new Refusal('BAD_USER_INPUT', 'UNKNOWN_APPS', 'There are no such apps.', { apps });

export const appsNotGranted = (apps: readonly string[]) =>
  new Refusal('CONFLICT', 'APPS_NOT_GRANTED', 'The organization may not use these apps.', { apps });
