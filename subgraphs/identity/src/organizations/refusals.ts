import { Refusal } from '@foyer/shared/errors';

export const organizationNotFound = () =>
  new Refusal('NOT_FOUND', 'ORGANIZATION_NOT_FOUND', 'There is no such organization.');

export const platformOrganizationProtected = () =>
  new Refusal('CONFLICT', 'PLATFORM_ORG_PROTECTED', 'The platform organization can not be deleted or switched off.');

export const companyCodeTaken = () =>
  new Refusal('CONFLICT', 'COMPANY_CODE_TAKEN', 'Another organization has this company code.');

export const licensingUnavailable = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'LICENSING_UNAVAILABLE', 'License keys can not be issued here.');

export const organizationInUse = () =>
  new Refusal('CONFLICT', 'ORGANIZATION_IN_USE', 'This organization has members: one of them names an administrator.');
