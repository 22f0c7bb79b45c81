import { z } from 'zod';

import type { AccountPartsFragment, AuthOrganizationQuery, ReconcileMutation } from '../generated/operations.ts';
import { Done } from './envelope.ts';

/** An account of the auth service. */
export const Account = z
  .object({
    id: z.string(),
    idp_user_id: z.string(),
    org_id: z.string(),
    username: z.string(),
    email: z.string(),
    account_state: z.string(),
    password_change_required: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

export const account = (found: AccountPartsFragment): z.input<typeof Account> => ({
  id: found.id,
  idp_user_id: found.idpUserId,
  org_id: found.organizationId,
  username: found.username,
  email: found.email,
  account_state: found.accountState,
  password_change_required: found.passwordChangeRequired,
  created_at: found.createdAt,
});

/** An organization of the auth service. */
export const AuthOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    company_code: z.string(),
    hosting_type: z.string(),
    status: z.string(),
    idp_org_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'AuthOrganization' });

type AuthOrganizationParts = NonNullable<AuthOrganizationQuery['authOrganization']>;

export const authOrganization = (found: AuthOrganizationParts): z.input<typeof AuthOrganization> => ({
  id: found.id,
  name: found.name,
  slug: found.slug,
  company_code: found.companyCode,
  hosting_type: found.hostingType,
  status: found.status,
  idp_org_id: found.idpOrgId,
  created_at: found.createdAt,
});

/** Accounts that differed from the identity provider's. */
const Reconciled = z.array(
  z
    .object({
      idp_user_id: z.string(),
      user_id: z.string().nullable(),
      org_id: z.string(),
      email: z.string(),
      was: z.string().nullable(),
    })
    .meta({ id: 'ReconciledPerson' }),
);

const reconciled = (found: ReconcileMutation['reconcile']['created']): z.input<typeof Reconciled> =>
  found.map((person) => ({
    idp_user_id: person.idpUserId,
    user_id: person.userId,
    org_id: person.organizationId,
    email: person.email,
    was: person.was,
  }));

/** What a reconciliation with the identity provider changed. */
export const Reconciliation = Done.extend({
  dry_run: z.boolean(),
  organizations: z.int(),
  unchanged: z.int(),
  created: Reconciled,
  activated: Reconciled,
  updated: Reconciled,
  elsewhere: Reconciled,
  missing: Reconciled,
}).meta({ id: 'Reconciliation' });

export const reconciliation = (found: ReconcileMutation['reconcile']): z.input<typeof Reconciliation> => ({
  success: true,
  dry_run: found.dryRun,
  organizations: found.organizations,
  unchanged: found.unchanged,
  created: reconciled(found.created),
  activated: reconciled(found.activated),
  updated: reconciled(found.updated),
  elsewhere: reconciled(found.elsewhere),
  missing: reconciled(found.missing),
});
