import { Refusal } from '@foyer/shared/errors';

export const revocationUnknown = () =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'REVOCATION_UNKNOWN',
    'Whether this sign-in is still valid can not be known right now.',
  );
