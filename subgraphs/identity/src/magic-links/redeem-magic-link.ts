import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';

import type { IdentityTransaction } from '@foyer/prisma/identity';

import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { profileFor } from '../email-profiles/delivery.ts';
import { sendInvitation } from '../invitations/send-invitation.ts';
import { hasBeenGiven } from '../permissions/has-been-given.ts';
import { deliverTokens, type Platform, type LoginResult } from '../sessions/deliver-tokens.ts';
import { openSession } from '../sessions/open-session.ts';
import { accountRefused, organizationDisabled, organizationPending } from '../sessions/refusals.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf } from '../tenancy/person.ts';
import { magicLinkExpired, magicLinkInvalid } from './refusals.ts';

type Needs = Pick<
  Context,
  | 'db'
  | 'clock'
  | 'log'
  | 'licenseGuard'
  | 'tokens'
  | 'cookieRules'
  | 'client'
  | 'reply'
  | 'requestId'
  | 'jobs'
  | 'sealer'
  | 'settings'
>;

/**
 * Uses an invitation link, once: the person becomes active and is logged in. If others could read the link, and the
 * person has been granted something since, it is replaced by one that is sent over Foyer's own mail server.
 *
 * @throws {Refusal} `MAGIC_LINK_INVALID`, `MAGIC_LINK_EXPIRED`, `LICENSE_EXPIRED`, `ORG_…`, `ACCOUNT_…`
 */
export async function redeemMagicLink(
  needs: Needs,
  { token, platform }: { token: string; platform?: Platform | null | undefined },
): Promise<LoginResult> {
  needs.licenseGuard.assertLicensed();
  const opened = await consume(needs, token, platform ?? 'WEB');
  if (!opened) throw magicLinkInvalid(); // a new link has been sent
  const { tokens, person, passwordChangeRequired } = opened;
  return deliverTokens(needs, platform ?? 'WEB', tokens, { user: person, passwordChangeRequired });
}

/**
 * Marks the link as used, and opens the session; the first to write `usedAt` wins. Both happen or none: an active person
 * without a session could neither log in, as nobody knows the password, nor be invited again. Returns null for a link
 * that was replaced.
 */
async function consume(needs: Needs, token: string, platform: Platform) {
  const { db, clock, client, requestId } = needs;
  const link = { tokenHash: tokenHash(token) };
  return db.$transaction(async (tx) => {
    const usedAt = clock.now();
    const found = await tx.magicLink.findUnique({ where: link });
    if (!found) throw magicLinkInvalid();
    const { userId: id } = found;
    await tx.$executeRaw`SELECT 1 FROM auth.users WHERE id = ${id}::uuid FOR UPDATE`;
    const usable = { ...link, usedAt: null, expiresAt: { gt: usedAt } };
    const { count: used } = await tx.magicLink.updateMany({ where: usable, data: { usedAt } });
    if (used === 0) throw found.usedAt || found.expiresAt > usedAt ? magicLinkInvalid() : magicLinkExpired();

    const user = await tx.authUser.findUniqueOrThrow({ where: { id }, include: { org: true } });
    assertInvited(user);
    if (found.overOwnServer && (await hasBeenGiven(tx, id))) {
      await replace(needs, tx, user);
      return null;
    }
    await tx.authUser.update({ where: { id }, data: { accountState: 'active' } });
    await audit(tx, {
      organizationId: user.orgId,
      userId: id,
      action: 'invitation.redeemed',
      target: { kind: 'user', id },
      ip: client.address,
      requestId,
    });
    const opened = await openSession({ ...needs, db: tx }, { user, platform, idpSessionId: null });
    return { ...opened, passwordChangeRequired: user.passwordChangeRequired };
  });
}

async function replace(needs: Needs, tx: IdentityTransaction, user: AuthUser & { org: AuthOrganization }) {
  const { name } = personOf(await tx.user.findUniqueOrThrow({ where: { id: user.id } }));
  const profileId = await profileFor(tx, user.orgId, 'user_invite');
  await sendInvitation(needs, tx, { user, name, organization: user.org, profileId });
}

function assertInvited({ accountState, org }: AuthUser & { org: AuthOrganization }): void {
  if (org.status === 'pending') throw organizationPending();
  if (org.status === 'disabled') throw organizationDisabled();
  if (accountState === 'active') throw magicLinkInvalid();
  if (accountState !== 'invited') throw accountRefused(accountState);
}
