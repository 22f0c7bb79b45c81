import { Refusal } from '@foyer/shared/errors';

/** @param retryAfter in seconds */
export const rateLimited = (retryAfter: number) =>
  new Refusal('RATE_LIMITED', 'RATE_LIMITED', 'Too many requests: wait a while before the next one.', { retryAfter });
