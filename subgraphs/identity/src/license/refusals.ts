import { Refusal } from '@foyer/shared/errors';

export const licenseExpired = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'LICENSE_EXPIRED', 'This installation has no valid license: nobody can sign in.');
