import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import { unproven, type GivenId } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { requireService } from '@foyer/shared/auth/viewer';
import { z } from 'zod';

import type { IdpUser } from '#ports/identity-provider.ts';
import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import { createAtProvider } from '../at-provider/create-at-provider.ts';
import { emailInput, passwordInput, personNameInput } from '../at-provider/inputs.ts';
import type { Context } from '../context.ts';
import { createPerson, nameWithCode } from '../invitations/create-login.ts';
import { recordMemberWithin } from '../start-up/record-member.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { accountOf, type Account } from './account.ts';
import { emailTaken, organizationNotFound, usernameTaken } from '../tenancy/refusals.ts';
import { whatIsTaken } from '../tenancy/taken-names.ts';
import { organizationNotActive } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'db' | 'clock' | 'jobs' | 'log' | 'identityProvider'>;

const Input = z.object({
  username: personNameInput,
  email: emailInput,
  givenName: personNameInput,
  familyName: personNameInput,
  password: passwordInput,
});

/**
 * Creates a person with a given password, without invitation or mail. If somebody elsewhere has the user name, it gets
 * the company code as a prefix (docs/decisions/0022); the answer contains the login name.
 *
 * @throws {Refusal} `ORGANIZATION_NOT_FOUND`, `ORGANIZATION_NOT_ACTIVE`, `PASSWORD_TOO_SIMPLE`, and
 *   `USERNAME_TAKEN` or `EMAIL_TAKEN` by somebody of the same organization, `BUSY`
 */
export async function createMember(
  needs: Needs,
  { organizationId: given, ...input }: z.input<typeof Input> & { organizationId: GivenId },
): Promise<Account> {
  requireService(needs.viewer);
  const organizationId = unproven(given);
  const person = readInput(Input, input);
  const { db } = needs;
  const organization = await db.authOrganization.findUnique({ where: { id: organizationId } });
  if (!organization) throw organizationNotFound();
  if (organization.status !== 'active' || !organization.idpOrgId) throw organizationNotActive();
  await assertFree(db, organization, person);
  return accountOf(await create(needs, organization, person));
}

const create = (
  needs: Needs,
  organization: AuthOrganization,
  { password, ...person }: z.output<typeof Input>,
): Promise<AuthUser> =>
  createAtProvider(needs, {
    kind: 'person',
    create: (id) => createPerson(needs, organization, { ...person, password, id }),
    idOf: ({ idpUserId }) => idpUserId,
    record({ idpUserId: id, loginName }) {
      // Recorded under the login name: nothing else tells it to them.
      const named = { ...person, username: loginName, loginName };
      const found = { ...named, id, organizationId: organization.idpOrgId ?? '', passwordChangeRequired: false };
      return record(needs, organization, person, found);
    },
  });

type Names = Pick<IdpUser, 'username' | 'email'>;

/** Looks only in this organization, also for the login name that this route gives when somebody elsewhere has the name. */
async function assertFree(
  db: Pick<IdentityDatabase, '$queryRaw'>,
  { id: organizationId, companyCode }: AuthOrganization,
  { username, email }: Names,
): Promise<void> {
  const taken = await whatIsTaken(db, { organizationId, username, email });
  const elsewhere = await whatIsTaken(db, { organizationId, username: nameWithCode(companyCode, username), email });
  if (taken.username || elsewhere.username) throw usernameTaken();
  if (taken.email) throw emailTaken();
}

function record(needs: Needs, organization: AuthOrganization, names: Names, found: IdpUser): Promise<AuthUser> {
  const organizationId = organization.id;
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const known = await tx.authUser.count({ where: { idpUserId: found.id } }); // the reconciliation was faster
    if (known === 0) await assertFree(tx, organization, names); // again, for two simultaneous calls
    const user = await recordMemberWithin(tx, organizationId, found);
    await tx.organizationMember.createMany({
      data: { organizationId, userId: user.id, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' },
      skipDuplicates: true,
    });
    await auditChange(needs, tx, { organizationId, action: 'user.created', target: { kind: 'user', id: user.id } });
    return user;
  });
}
