import { Refusal } from '@foyer/shared/errors';

export const identityProviderDown = (cause: Error) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'IDENTITY_PROVIDER_DOWN', 'The identity provider can not be reached right now.', {
    cause,
  });
