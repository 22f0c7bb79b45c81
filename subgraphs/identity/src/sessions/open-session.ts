import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { newId, type Id } from '@foyer/shared/ids';

import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf } from '../tenancy/person.ts';
import type { Platform } from './deliver-tokens.ts';
import { issueTokens } from './issue-tokens.ts';
import { accountRefused, invalidCredentials, organizationDisabled, organizationPending } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'tokens' | 'client' | 'requestId'>;

/** The longest stored User-Agent. */
const DEVICE_LIMIT = 300;

/** Opens a session and signs its first tokens. */
export async function openSession(
  needs: Needs,
  {
    user,
    organization,
    platform,
    idpSessionId,
  }: { user: AuthUser; organization: AuthOrganization; platform: Platform; idpSessionId: string | null },
) {
  const now = needs.clock.now();
  const sessionId = newId();
  const tokens = await issueTokens(needs, { userId: user.id, idpUserId: user.idpUserId, sessionId, organization });

  const person = await needs.db.$transaction(async (tx) => {
    await assertMayLogIn(tx, user.id);
    await tx.refreshSession.create({
      data: {
        id: sessionId,
        userId: user.id,
        tokenHash: tokenHash(tokens.refreshToken),
        idpSessionId,
        platform: platform === 'WEB' ? 'web' : 'mobile',
        device: needs.client.userAgent.slice(0, DEVICE_LIMIT),
        address: needs.client.address,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + needs.tokens.refreshSeconds * 1_000),
      },
    });
    const fact = { organizationId: organization.id, userId: user.id, requestId: needs.requestId };
    const target = { kind: 'session', id: sessionId };
    await audit(tx, { ...fact, action: 'session.opened', target, ip: needs.client.address });
    if (tokens.roleMissed) await audit(tx, { ...fact, action: 'role.missed', target, result: 'refused' });
    return tx.user.findUniqueOrThrow({ where: { id: user.id } });
  });
  return { tokens, person: personOf(person) };
}

/** Checks again what may have changed since the password check: whoever disables an account locks its row. */
async function assertMayLogIn(tx: IdentityTransaction, userId: Id): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM auth.users WHERE id = ${userId}::uuid FOR SHARE`;
  const user = await tx.authUser.findUnique({ where: { id: userId }, include: { org: true } });
  if (!user) throw invalidCredentials();
  if (user.org.status === 'pending') throw organizationPending();
  if (user.org.status === 'disabled') throw organizationDisabled();
  if (user.accountState !== 'active') throw accountRefused(user.accountState);
}
