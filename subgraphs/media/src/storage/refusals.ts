import { Refusal } from '@foyer/shared/errors';

export const storeAway = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'STORE_AWAY', 'The object store does not answer.', { cause });
