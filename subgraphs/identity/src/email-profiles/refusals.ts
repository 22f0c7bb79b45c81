import { Refusal } from '@foyer/shared/errors';

/** Also for a profile of another organization. */
export const emailProfileNotFound = () =>
  new Refusal('NOT_FOUND', 'EMAIL_PROFILE_NOT_FOUND', 'There is no such e-mail profile.');

export const emailProfileNameTaken = () =>
  new Refusal('CONFLICT', 'EMAIL_PROFILE_NAME_TAKEN', 'Another e-mail profile has this name.');

export const emailProfileMissing = () =>
  new Refusal(
    'BAD_USER_INPUT',
    'EMAIL_PROFILE_MISSING',
    'Map an e-mail profile to user_invite first: without one, no invitation can be sent.',
  );
