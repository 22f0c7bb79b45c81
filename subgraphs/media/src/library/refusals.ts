import { Refusal } from '@foyer/shared/errors';

export const mediaNotReady = () =>
  new Refusal(
    'CONFLICT',
    'MEDIA_NOT_READY',
    'The file of this media is not at its place in the library yet: process it again first.',
  );
