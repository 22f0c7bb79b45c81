import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { publishSessions, publishBlocks } from '../events/channels.ts';
import { rememberedSeconds } from '../tokens/token-records.ts';

/** A session that has ended here and may still be open at the identity provider. */
export interface EndedSession {
  id: string;
  idpSessionId: string | null;
}

/** Why a session ended, as clients and the audit log see it. */
export type EndReason =
  | 'logout'
  | 'logout_all'
  | 'revoked'
  | 'refresh_token_reused'
  | 'password_changed'
  | 'password_reset'
  | 'account_disabled'
  | 'account_removed'
  | 'organization_disabled'
  | 'organization_deleted';

/**
 * Invalidates the user's present access tokens: the client refreshes, and gets one that reflects the change. To be
 * called before the change is committed.
 *
 * Whoever signs a token locks the user's row meanwhile (`issue-tokens.ts`), so that every token either precedes the
 * block time or reflects the change.
 */
export async function blockUser(
  { clock, tokens }: Pick<Context, 'clock' | 'tokens'>,
  tx: IdentityTransaction,
  userId: Id,
): Promise<void> {
  await lockUser(tx, userId);
  // A process whose clock is behind must not make tokens valid that another has invalidated.
  const before = await tx.userBlock.findUnique({ where: { userId } });
  const now = Math.ceil(clock.now().getTime() / 1_000) * 1_000;
  const notBefore = new Date(Math.max(now, before?.notBefore.getTime() ?? 0));
  const expiresAt = new Date(notBefore.getTime() + rememberedSeconds(tokens.accessSeconds) * 1_000);
  await tx.userBlock.upsert({
    where: { userId },
    create: { userId, notBefore, expiresAt },
    update: { notBefore, expiresAt },
  });
  await publishBlocks(tx);
}

/**
 * Ends sessions of a user, all or some, notifies their devices, and invalidates their access tokens.
 *
 * @param which `except` or `only` one session: then the tokens of the others stay good, and no block time is written
 * @returns what has ended: hand it to `endAtProvider` after the commit
 */
export async function endSessionsOf(
  needs: Pick<Context, 'clock' | 'tokens'>,
  tx: IdentityTransaction,
  userId: Id,
  { reason, ...which }: { reason: EndReason; except?: string | undefined; only?: string | undefined },
): Promise<EndedSession[]> {
  await lockUser(tx, userId);
  // A login whose password was checked before opens no session any more.
  if (!which.only) await tx.authUser.updateMany({ where: { id: userId }, data: { sessionEpoch: { increment: 1 } } });
  const id = which.only ?? (which.except ? { not: which.except } : undefined);
  const sessions = await tx.refreshSession.findMany({
    where: { userId, ...(id && { id }) },
    select: { id: true, idpSessionId: true },
    orderBy: { id: 'asc' },
  });
  await tx.refreshSession.deleteMany({ where: { id: { in: sessions.map((session) => session.id) } } });
  await tx.authOutbox.createMany({
    data: sessions.map((session) => ({
      topic: 'session_revoked',
      userId,
      payload: { session_id: session.id, reason },
      createdAt: needs.clock.now(),
    })),
  });
  if (sessions.length > 0) await publishSessions(tx, userId);
  if (!id) await blockUser(needs, tx, userId);
  return sessions;
}

/**
 * Ends sessions at the provider. A failure is only logged: here they have ended, and there they expire by themselves.
 */
export async function endAtProvider(
  { identityProvider, log }: Pick<Context, 'identityProvider' | 'log'>,
  ended: readonly Pick<EndedSession, 'idpSessionId'>[],
): Promise<void> {
  for (const { idpSessionId } of ended) {
    try {
      if (idpSessionId) await identityProvider.endSession(idpSessionId);
    } catch (error) {
      log.warn({ err: error }, 'a session that has ended stays open at the identity provider');
    }
  }
}

/** Serializes changes of a user's sessions, so that the ids of the outbox are in the order of their commits. */
async function lockUser(tx: IdentityTransaction, userId: Id): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM auth.users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}
