import { Refusal } from '@foyer/shared/errors';

export const platformOrganizationProtected = () =>
  new Refusal('CONFLICT', 'PLATFORM_ORG_PROTECTED', 'The platform organization can not be deleted or switched off.');

export const licensingUnavailable = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'LICENSING_UNAVAILABLE', 'License keys can not be issued here.');
