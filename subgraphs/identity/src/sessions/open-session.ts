import { randomUUID } from 'node:crypto';

import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf } from '../users/person.ts';
import type { Platform } from './deliver-tokens.ts';
import { issueTokens } from './issue-tokens.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'tokens' | 'client' | 'requestId'>;

/** What is kept of a client's own description of itself. */
const DEVICE_LIMIT = 300;

/** Opens a session, and signs its first tokens. */
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
  const sessionId = randomUUID();
  const tokens = await issueTokens(needs, { userId: user.id, idpUserId: user.idpUserId, sessionId, organization });

  const person = await needs.db.$transaction(async (tx) => {
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
    await tx.auditEntry.create({
      data: {
        at: now,
        actorId: user.id,
        organizationId: organization.id,
        action: 'session.opened',
        targetKind: 'session',
        targetId: sessionId,
        address: needs.client.address,
        requestId: needs.requestId,
      },
    });
    return tx.user.findUniqueOrThrow({ where: { id: user.id } });
  });
  return { tokens, person: personOf(person) };
}
