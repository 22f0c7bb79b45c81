import { Refusal } from '@foyer/shared/errors';

/** Also for one that the viewer is not told. */
export const notificationNotFound = () =>
  new Refusal('NOT_FOUND', 'NOTIFICATION_NOT_FOUND', 'There is no such notification.');
