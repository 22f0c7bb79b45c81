import { Refusal } from '@foyer/shared/errors';

/** Also for a mail of an order that the viewer may not see. */
export const mailNotFound = () => new Refusal('NOT_FOUND', 'MAIL_NOT_FOUND', 'There is no such mail.');

export const mailNotDead = () =>
  new Refusal(
    'CONFLICT',
    'MAIL_NOT_DEAD',
    'Only a mail that was given up is sent again: this one is queued, or was sent.',
  );
