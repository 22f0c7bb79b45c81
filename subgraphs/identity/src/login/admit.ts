import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';

import type { IdpUser } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';
import { accountRefused, invalidCredentials, organizationDisabled, organizationPending } from '../sessions/refusals.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/**
 * Admits a person whose password is right to one organization.
 *
 * @param companyCode null for mobile clients that send none: then it is the person's own organization
 * @throws {Refusal} `INVALID_CREDENTIALS` for a non-member; `ORG_…`, `ACCOUNT_…`
 */
export async function admit(needs: Needs, person: IdpUser, companyCode: string | null) {
  const organization = await findOrganization(needs, person, companyCode);
  const known = await needs.db.authUser.findUnique({ where: { idpUserId: person.id } });
  if (known && known.orgId !== organization.id) throw invalidCredentials();

  if (organization.status === 'pending') throw organizationPending();
  if (organization.status === 'disabled') throw organizationDisabled();
  if (known && known.accountState !== 'active') throw accountRefused(known.accountState);
  return { organization, user: await recordUser(needs, organization, person) };
}

/** Finds the local organization, and asserts that the person belongs to its counterpart at the provider. */
async function findOrganization({ db, identityProvider }: Needs, person: IdpUser, companyCode: string | null) {
  const organization = await (companyCode
    ? organizationByCode(db, companyCode)
    : db.authOrganization.findUnique({ where: { idpOrgId: person.organizationId } }));
  if (!organization?.idpOrgId || organization.idpOrgId !== person.organizationId) throw invalidCredentials();
  const atProvider = await identityProvider.findOrganization({ id: organization.idpOrgId });
  if (!atProvider?.active) throw invalidCredentials();
  return organization;
}

/** Records the person in both stores; of a known person it updates only the address. */
async function recordUser({ db }: Needs, organization: AuthOrganization, person: IdpUser): Promise<AuthUser> {
  return db.$transaction(async (tx) => {
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
