import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';

import type { IdpUser } from '#ports/identity-provider.ts';
import { wasRemoved } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import { accountRefused, invalidCredentials, organizationDisabled, organizationPending } from '../sessions/refusals.ts';
import type { Identified } from './find-idp-user.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;
type Admitted = Pick<AuthUser, 'id' | 'idpUserId' | 'passwordChangeRequired' | 'sessionEpoch'>;

/**
 * Admits a person whose password is right to one organization.
 *
 * @param known as recorded before the password was checked
 * @throws {Refusal} `INVALID_CREDENTIALS` for a non-member; `ORG_…`, `ACCOUNT_…`
 */
export async function admit(
  needs: Needs,
  { person, named }: Identified,
  known: KnownPerson | undefined,
): Promise<Admitted> {
  const organization = await findOrganization(needs, person, named);
  if (known && known.orgId !== organization.id) throw invalidCredentials();

  if (organization.status === 'pending') throw organizationPending();
  if (organization.status === 'disabled') throw organizationDisabled();
  if (known && known.accountState !== 'active') throw accountRefused(known.accountState);
  if (known?.isRecorded) return known;
  return { ...(await recordUser(needs, organization, person)), sessionEpoch: known?.sessionEpoch ?? 0 };
}

/** Finds the local organization, and asserts that the person belongs to its counterpart at the provider. */
async function findOrganization(
  { db, identityProvider }: Needs,
  { organizationId: idpOrgId }: IdpUser,
  named: AuthOrganization | null,
): Promise<AuthOrganization> {
  const organization = named ?? (await db.authOrganization.findUnique({ where: { idpOrgId } }));
  if (!organization?.idpOrgId || organization.idpOrgId !== idpOrgId) throw invalidCredentials();
  const atProvider = await identityProvider.findOrganization({ id: organization.idpOrgId });
  if (!atProvider?.active) throw invalidCredentials();
  return organization;
}

/** A person as recorded here. */
export interface KnownPerson extends Admitted, Pick<AuthUser, 'orgId' | 'accountState'> {
  /** Whether both stores have the person with the present address: then there is nothing to record. */
  isRecorded: boolean | null;
}

/** Finds what is recorded here of a person. */
export async function findKnown({ db }: Pick<Needs, 'db'>, { id, email }: IdpUser): Promise<KnownPerson | undefined> {
  const [known] = await db.$queryRaw<KnownPerson[]>`
    SELECT u.id, u.idp_user_id AS "idpUserId", u.org_id AS "orgId", u.account_state::text AS "accountState",
           u.password_change_required AS "passwordChangeRequired", u.session_epoch AS "sessionEpoch",
           u.email = ${email} AND p.email = ${email} AS "isRecorded"
    FROM auth.users u LEFT JOIN tenancy.users p ON p.id = u.id WHERE u.idp_user_id = ${id}`;
  return known;
}

/** Records the person in both stores; of a known person it updates only the address. */
async function recordUser({ db }: Needs, organization: AuthOrganization, person: IdpUser): Promise<AuthUser> {
  return db.$transaction(async (tx) => {
    // Either may have been, since the provider was asked.
    if ((await wasRemoved(tx, person.organizationId)) || (await wasRemoved(tx, person.id))) throw invalidCredentials();
    const user = await tx.authUser.upsert({
      where: { idpUserId: person.id },
      create: { idpUserId: person.id, orgId: organization.id, username: person.username, email: person.email },
      update: { email: person.email },
    });
    await tx.user.upsert({
      where: { id: user.id },
      create: {
        id: user.id,
        organizationId: organization.id,
        username: person.username,
        email: person.email,
        firstName: person.givenName,
        lastName: person.familyName,
      },
      update: { email: person.email },
    });
    return user;
  });
}
