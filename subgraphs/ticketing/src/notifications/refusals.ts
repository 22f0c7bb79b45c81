import { Refusal } from '@foyer/shared/errors';

/** Also for a notification that the viewer may not see. */
export const notificationNotFound = () =>
  new Refusal('NOT_FOUND', 'NOTIFICATION_NOT_FOUND', 'There is no such notification.');
