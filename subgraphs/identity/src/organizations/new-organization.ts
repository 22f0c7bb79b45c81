import { COMPANY_CODE } from '@foyer/shared/company-code';
import { badInput, type InputError } from '@foyer/shared/errors';

import type { CreateOrganizationInput, NewAdministratorInput } from '../generated/graphql.ts';
import { isWebAddress } from '../tenancy/web-address.ts';

const NAME_LIMIT = 200;
const WEBSITE_LIMIT = 500;
const TIMEZONE_LIMIT = 100;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const LICENSE_DAYS_LIMIT = 36_500;

export type WantedOrganization = CreateOrganizationInput & { appIds: string[] };

/**
 * Validates an organization in the cloud.
 *
 * @returns its administrator
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function assertCloud(wanted: WantedOrganization): NewAdministratorInput {
  const { appIds, admin } = wanted;
  const errors = [
    ...wrongWithAny(wanted),
    ...wrong(appIds.length === 0, 'appIds', 'An organization in the cloud needs at least one app.'),
    ...wrong(!admin?.username.trim(), 'admin.username', 'The administrator needs a user name.'),
    ...wrong(!ADDRESS.test(admin?.email.trim() ?? ''), 'admin.email', 'The administrator needs an e-mail address.'),
    ...wrong(!admin?.password, 'admin.password', 'The administrator needs a password.'),
    ...tooLong(admin),
  ];
  if (errors.length > 0 || !admin) throw badInput(errors);
  return admin;
}

/** What the identity provider would refuse. */
function tooLong(admin: NewAdministratorInput | null | undefined): InputError[] {
  const { username, email, password, givenName, familyName } = admin ?? {};
  const texts = { username, email, password, givenName, familyName };
  return Object.entries(texts).flatMap(([field, text]) =>
    wrong((text ?? '').length > NAME_LIMIT, `admin.${field}`, `It has at most ${NAME_LIMIT} characters.`),
  );
}

/**
 * Validates an on-premises organization. Its administrator is not checked, because none is created here.
 *
 * @returns how many days its license lasts
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function assertOnPremises(wanted: CreateOrganizationInput): number {
  const days = wanted.licenseDurationDays ?? 0;
  const errors = [
    ...wrongWithAny(wanted),
    ...wrong(days < 1 || days > LICENSE_DAYS_LIMIT, 'licenseDurationDays', 'Say how many days the license lasts.'),
  ];
  if (errors.length > 0) throw badInput(errors);
  return days;
}

const wrongWithAny = ({ name, companyCode, timezone, website, legalName }: CreateOrganizationInput): InputError[] => [
  ...wrong(name === '' || name.length > NAME_LIMIT, 'name', 'A name has 1 to 200 characters.'),
  ...wrong(
    !COMPANY_CODE.test(companyCode),
    'companyCode',
    'A company code has 2 to 50 letters, digits, hyphens or underscores.',
  ),
  ...wrong((legalName ?? '').length > NAME_LIMIT, 'legalName', 'A legal name has at most 200 characters.'),
  ...wrong(
    !!website && !(website.length <= WEBSITE_LIMIT && isWebAddress(website)),
    'website',
    'This is no web address.',
  ),
  // The documents specify no format, so clients send anything; nothing here depends on it.
  ...wrong((timezone ?? '').length > TIMEZONE_LIMIT, 'timezone', 'A time zone has at most 100 characters.'),
];

const wrong = (condition: boolean, path: string, message: string): InputError[] =>
  condition ? [{ path, message }] : [];
