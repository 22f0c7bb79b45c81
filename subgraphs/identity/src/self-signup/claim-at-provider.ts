import type { AuthOrganization } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { IdpUser } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import type { Applicant } from './applicant.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/** An organization at the provider, and its administrator. */
interface Claimed {
  idpOrgId: string;
  idpUserId: string;
}

/**
 * Creates an organization and its administrator at the identity provider. If a process that died in between has created
 * them already, it takes those, and gives the administrator this password.
 *
 * @throws {Refusal} `ORGANIZATION_NAME_TAKEN`, `USERNAME_TAKEN`
 */
export async function claimAtProvider(
  needs: Needs,
  organization: AuthOrganization,
  admin: Applicant & { password: string },
): Promise<Claimed> {
  const { identityProvider } = needs;
  try {
    const made = await identityProvider.createOrganizationWithAdmin(organization.name, {
      ...admin,
      changeRequired: true,
    });
    return { idpOrgId: made.organizationId, idpUserId: made.userId };
  } catch (error) {
    const taken = error instanceof Refusal && error.code === 'CONFLICT';
    const orphan = taken && (await findOrphan(needs, organization.name, admin));
    if (!orphan) throw error;
    await identityProvider.setPassword(orphan.idpUserId, admin.password);
    return orphan;
  }
}

/**
 * Finds what an interrupted approval has left at the provider: an organization of this name that belongs to nobody
 * here, with only this administrator in it.
 */
export async function findOrphan(
  { db, identityProvider }: Needs,
  name: string,
  { username, email }: Applicant,
): Promise<Claimed | null> {
  const found = await identityProvider.findOrganization({ name });
  if (!found || (await db.authOrganization.count({ where: { idpOrgId: found.id } })) > 0) return null;
  const people: IdpUser[] = [];
  for await (const person of identityProvider.listUsers(found.id)) people.push(person);
  const [person, another] = people;
  if (!person || another || person.username !== username || person.email !== email) return null;
  return { idpOrgId: found.id, idpUserId: person.id };
}
