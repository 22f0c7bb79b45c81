import type { AuthOrganization } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { GivenId, Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { auditChange } from '../audit/audit-change.ts';
import { createAtProvider } from '../at-provider/create-at-provider.ts';
import { emailInput, personNameInput } from '../at-provider/inputs.ts';
import { wasRemoved } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import { profileFor } from '../email-profiles/delivery.ts';
import { emailProfileMissing } from '../email-profiles/refusals.ts';
import { busy } from '../limits/refusals.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { whatIsTaken } from '../tenancy/taken-names.ts';
import { personOf, type Person } from '../tenancy/person.ts';
import { createLogin } from './create-login.ts';
import { emailTaken, organizationNotReady, usernameTaken } from '../tenancy/refusals.ts';
import { sendInvitation } from './send-invitation.ts';

type Needs = Pick<
  Context,
  | 'viewer'
  | 'permissions'
  | 'db'
  | 'clock'
  | 'log'
  | 'jobs'
  | 'limits'
  | 'identityProvider'
  | 'sealer'
  | 'settings'
  | 'client'
  | 'requestId'
>;

const Input = z.object({
  username: personNameInput,
  email: emailInput,
  givenName: personNameInput,
  familyName: personNameInput,
});

type Invited = z.output<typeof Input>;

/** As for inviting again: whoever removes and invites anew mails an address no more often. */
const perAddress = { name: 'invite', most: 5, windowSeconds: 60 * 60 };

/**
 * Invites a person to an organization: creates them at the identity provider, with a password that nobody knows, and
 * here, with a link that is sent by e-mail.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `EMAIL_PROFILE_MISSING`, `ORGANIZATION_NOT_READY`,
 *   `EMAIL_TAKEN`, `USERNAME_TAKEN`, `BUSY`; `RATE_LIMITED` after five mails to one address within an hour
 */
export async function inviteUser(needs: Needs, id: GivenId, input: unknown): Promise<Person> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:users:invite');
  const { db } = needs;
  const invited = readInput(Input, input);
  const profileId = await profileFor(db, organizationId, 'user_invite');
  if (!profileId) throw emailProfileMissing();
  const organization = await db.authOrganization.findUnique({ where: { id: organizationId } });
  if (organization?.status !== 'active' || !organization.idpOrgId) throw organizationNotReady();
  await assertFree(db, organizationId, invited);

  const counted = await needs.limits.take(perAddress, [organizationId, invited.email.toLowerCase()]);
  try {
    return await createAtProvider(needs, {
      kind: 'person',
      create: (id) => createLogin(needs, organization, { ...invited, id }),
      idOf: ({ idpUserId }) => idpUserId,
      record: (login) => record(needs, { organization, profileId, invited, ...login }),
    });
  } catch (error) {
    await counted.giveBack();
    throw error;
  }
}

/** Looks only in this organization: the inviter must not learn who is in another one. */
async function assertFree(db: Pick<IdentityDatabase, '$queryRaw'>, organizationId: Id, invited: Invited) {
  const taken = await whatIsTaken(db, { organizationId, ...invited });
  if (taken.email) throw emailTaken();
  if (taken.username) throw usernameTaken();
}

interface Made {
  organization: AuthOrganization;
  profileId: Id;
  invited: Invited;
  idpUserId: string;
  loginName: string;
}

async function record(needs: Needs, made: Made): Promise<Person> {
  const { organization, profileId, invited, idpUserId, loginName } = made;
  const { username, email, givenName: firstName, familyName: lastName } = invited;
  const organizationId = organization.id;
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    if (await wasRemoved(tx, idpUserId)) throw busy();
    await assertFree(tx, organizationId, invited); // again, for two simultaneous invitations
    const organizationRole = await requireRoleGrant(tx, { organizationId, scope: 'organization' }, 'ORG_MEMBER');
    await assertMayGrant(tx, needs.viewer, organizationId, [{ organizationRole }]);
    const user = await tx.authUser.create({
      data: {
        idpUserId,
        orgId: organizationId,
        username: loginName,
        email,
        accountState: 'invited',
        passwordChangeRequired: true,
      },
    });
    const recorded = await tx.user.create({
      data: { id: user.id, organizationId, username, email, firstName, lastName },
    });
    await tx.organizationMember.create({
      data: { organizationId, userId: user.id, role: organizationRole.id, roleId: organizationRole.id },
    });
    await sendInvitation(needs, tx, { user, name: personOf(recorded).name, organization, profileId });
    const target = { kind: 'user', id: user.id };
    await auditChange(needs, tx, { organizationId, action: 'user.invited', target });
    return personOf(recorded);
  });
}
