import { unproven, type GivenId } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { requireService } from '@foyer/shared/auth/viewer';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { createPerson } from '../invitations/create-login.ts';
import { recordMember } from '../start-up/record-member.ts';
import { accountOf, type Account } from './account.ts';
import { organizationNotFound } from '../tenancy/refusals.ts';
import { organizationNotActive } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'log' | 'identityProvider'>;

/** The sizes that the identity provider accepts. */
const Input = z.object({
  username: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  email: z.email('must be an e-mail address').max(200, 'must have at most 200 characters'),
  givenName: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  familyName: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  password: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
});

/**
 * Creates a person with a given password, without invitation or mail. If somebody elsewhere has the user name, it gets
 * the company code as a prefix (docs/decisions/0022); the answer contains the login name.
 *
 * @throws {Refusal} `ORGANIZATION_NOT_FOUND`, `ORGANIZATION_NOT_ACTIVE`, `USERNAME_TAKEN`, `PASSWORD_TOO_SIMPLE`
 */
export async function createMember(
  needs: Needs,
  { organizationId: given, ...input }: z.input<typeof Input> & { organizationId: GivenId },
): Promise<Account> {
  requireService(needs.viewer);
  const organizationId = unproven(given);
  const { password, ...person } = readInput(Input, input);
  const { db, identityProvider } = needs;
  const organization = await db.authOrganization.findUnique({ where: { id: organizationId } });
  if (!organization) throw organizationNotFound();
  if (organization.status !== 'active' || !organization.idpOrgId) throw organizationNotActive();

  const { idpUserId: id, loginName } = await createPerson(needs, organization, { ...person, password });
  try {
    // Recorded under the login name: nothing else tells it to them.
    const named = { ...person, username: loginName, loginName };
    const found = { ...named, id, organizationId: organization.idpOrgId, passwordChangeRequired: false };
    const user = await recordMember(needs, organizationId, found);
    await db.organizationMember.createMany({
      data: { organizationId, userId: user.id, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' },
      skipDuplicates: true,
    });
    return accountOf(user);
  } catch (error) {
    await identityProvider.deleteUser(id).catch((left: unknown) => {
      needs.log.warn({ err: left }, 'a person that could not be recorded stays at the identity provider');
    });
    throw error;
  }
}
