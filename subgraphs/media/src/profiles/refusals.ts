import { Refusal } from '@foyer/shared/errors';

export const profileNotFound = () =>
  new Refusal('NOT_FOUND', 'TRANSCODING_PROFILE_NOT_FOUND', 'There is no such transcoding profile.');

export const profileExists = () =>
  new Refusal('CONFLICT', 'TRANSCODING_PROFILE_EXISTS', 'There is a transcoding profile of that name already.');

export const profileInUse = () =>
  new Refusal(
    'CONFLICT',
    'TRANSCODING_PROFILE_IN_USE',
    'Media or running uploads use this transcoding profile: give them another one first.',
  );

export const defaultNeeded = () =>
  new Refusal(
    'CONFLICT',
    'DEFAULT_PROFILE_NEEDED',
    'Each category has one default profile: make another one the default instead.',
  );
