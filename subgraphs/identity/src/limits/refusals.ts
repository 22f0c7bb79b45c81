import { Refusal } from '@foyer/shared/errors';

/** @param retryAfter in seconds */
export const rateLimited = (retryAfter: number) =>
  new Refusal('RATE_LIMITED', 'RATE_LIMITED', 'Too many attempts: wait a while before the next one.', { retryAfter });

export const busy = () =>
  new Refusal('CONFLICT', 'BUSY', 'Somebody else is doing just that at the moment: try again in a minute.');
