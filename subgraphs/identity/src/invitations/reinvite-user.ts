import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { profileFor } from '../email-profiles/delivery.ts';
import { emailProfileMissing } from '../email-profiles/refusals.ts';
import { personOf, type Person } from '../tenancy/person.ts';
import { userNotFound, userNotInvited } from './refusals.ts';
import { organizationNotReady } from '../tenancy/refusals.ts';
import { sendInvitation } from './send-invitation.ts';

type Needs = Pick<
  Context,
  'viewer' | 'permissions' | 'db' | 'clock' | 'jobs' | 'limits' | 'sealer' | 'settings' | 'client' | 'requestId'
>;

const perInvitee = { name: 'reinvite', most: 5, windowSeconds: 60 * 60 };
const perInviter = { name: 'reinvite-by', most: 30, windowSeconds: 60 * 60 };

/**
 * Sends an invited person a new link, which voids the previous one.
 *
 * @throws {Refusal} `FORBIDDEN`, `USER_NOT_FOUND`, `USER_NOT_INVITED`, `EMAIL_PROFILE_MISSING`, `ORGANIZATION_NOT_READY`,
 *   `RATE_LIMITED` after five mails to one person, or thirty by one, within an hour
 */
export async function reinviteUser(needs: Needs, id: GivenId, userId: Id): Promise<Person> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:users:invite');
  const user = isUuid(userId)
    ? await needs.db.authUser.findUnique({ where: { id: userId, orgId: organizationId } })
    : null;
  if (!user) throw userNotFound();
  if (user.accountState !== 'invited') throw userNotInvited();
  // A service acts for many inviters; the invitee is counted in any case.
  const inviter = needs.viewer?.kind === 'staff' ? [[perInviter, needs.viewer.userId] as const] : [];
  const counted = await needs.limits.takeAll([...inviter, [perInvitee, userId]]);
  try {
    return await send(needs, organizationId, userId);
  } catch (error) {
    await counted.giveBack();
    throw error;
  }
}

function send(needs: Needs, organizationId: Id, userId: Id): Promise<Person> {
  return needs.db.$transaction(async (tx) => {
    // The lock serializes this with a simultaneous use of the previous link.
    await tx.$executeRaw`SELECT 1 FROM auth.users WHERE id = ${userId}::uuid FOR UPDATE`;
    const user = await tx.authUser.findUnique({ where: { id: userId, orgId: organizationId }, include: { org: true } });
    if (!user) throw userNotFound();
    if (user.accountState !== 'invited') throw userNotInvited();
    if (user.org.status !== 'active') throw organizationNotReady();
    const profileId = await profileFor(tx, organizationId, 'user_invite');
    if (!profileId) throw emailProfileMissing();

    const person = personOf(await tx.user.findUniqueOrThrow({ where: { id: userId } }));
    await sendInvitation(needs, tx, { user, name: person.name, organization: user.org, profileId });
    const target = { kind: 'user', id: userId };
    await auditChange(needs, tx, { organizationId, action: 'user.reinvited', target });
    return person;
  });
}
