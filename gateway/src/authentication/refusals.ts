import { Refusal } from '@foyer/shared/errors';

/** The keys that would prove a token can't be had: the token may be a good one. */
export const keysUnavailable = (cause: unknown) =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'JWKS_UNAVAILABLE',
    'Whether the access token is valid can not be known right now.',
    { cause, retryAfter: 1 },
  );
