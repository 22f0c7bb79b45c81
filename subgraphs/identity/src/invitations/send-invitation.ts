import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { hasOwnServer } from '../email-profiles/delivery.ts';
import { enqueueMail } from '../mails/send-mail.ts';
import { hasBeenGiven } from '../permissions/has-been-given.ts';
import { newLinkToken } from '../tokens/link-token.ts';

type Needs = Pick<Context, 'clock' | 'jobs' | 'sealer' | 'settings' | 'client'>;

/**
 * Gives an invited person a new link, which replaces the previous one, and sends it by e-mail. A link is worth the
 * rights of the invited person, and whoever set up the profile's server can read it: over that server goes only the
 * link of somebody who has not been granted anything yet. If they are granted something later, `redeemMagicLink`
 * replaces the link.
 */
export async function sendInvitation(
  needs: Needs,
  tx: IdentityTransaction,
  to: { user: AuthUser; name: string; organization: AuthOrganization; profileId: Id | null },
): Promise<void> {
  const { user, name, organization, profileId } = to;
  const { frontendUrl, magicLinkSeconds } = needs.settings;
  const createdAt = needs.clock.now();
  const expiresAt = new Date(createdAt.getTime() + magicLinkSeconds * 1_000);
  const { token, hash: tokenHash } = newLinkToken();
  const overOwnServer = (await hasOwnServer(tx, profileId)) && !(await hasBeenGiven(tx, user.id));
  const link = { tokenHash, createdAt, expiresAt, usedAt: null, overOwnServer };
  await tx.magicLink.upsert({ where: { userId: user.id }, create: { userId: user.id, ...link }, update: link });
  await enqueueMail(needs, tx, {
    to: user.email,
    profileId,
    overDefaultServer: !overOwnServer, // even if the profile gets a server before the mail is sent
    until: expiresAt,
    language: needs.client.language,
    content: {
      kind: 'invitation',
      name,
      organization: organization.name,
      companyCode: organization.companyCode,
      username: user.username,
      url: `${frontendUrl}/auth/magic-link?token=${token}`,
      minutes: Math.round(magicLinkSeconds / 60),
    },
  });
}
