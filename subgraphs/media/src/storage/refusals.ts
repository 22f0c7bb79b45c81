import { Refusal } from '@foyer/shared/errors';

/** When a client, or a processing step, may try a store again that could not serve. */
export const STORE_RETRY_SECONDS = 10;

const facts = (cause: unknown) => ({ cause, retryAfter: STORE_RETRY_SECONDS });

export const storeAway = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'STORE_AWAY', 'The object store does not answer.', facts(cause));

export const storeFull = (cause: unknown) =>
  new Refusal('INSUFFICIENT_STORAGE', 'STORE_FULL', 'The object store is full: try again later.', facts(cause));

export const storeReadOnly = (cause: unknown) =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'STORE_READ_ONLY',
    'The object store can not be written: try again later.',
    facts(cause),
  );
