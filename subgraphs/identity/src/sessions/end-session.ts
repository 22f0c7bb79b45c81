import type { Context } from '../context.ts';

type Needs = Pick<Context, 'db' | 'log' | 'identityProvider' | 'client' | 'requestId'>;

/**
 * Ends a session here and at the identity provider, and tells the user's other devices.
 *
 * @returns whether it was this call that ended it
 */
export async function endSession(needs: Needs, sessionId: string, { reason }: { reason: string }): Promise<boolean> {
  const ended = await needs.db.$transaction(async (tx) => {
    const session = await tx.refreshSession.findUnique({ where: { id: sessionId }, include: { user: true } });
    const { count } = await tx.refreshSession.deleteMany({ where: { id: sessionId } });
    if (!session || count === 0) return null;
    await tx.authOutbox.create({
      data: { topic: 'session_revoked', userId: session.userId, payload: { session_id: sessionId, reason } },
    });
    await tx.auditEntry.create({
      data: {
        actorId: session.userId,
        organizationId: session.user.orgId,
        action: 'session.ended',
        targetKind: 'session',
        targetId: sessionId,
        reason,
        address: needs.client.address,
        requestId: needs.requestId,
      },
    });
    return session;
  });
  if (ended?.idpSessionId) await endAtProvider(needs, ended.idpSessionId);
  return ended !== null;
}

/** The session has ended whatever the provider says: there it expires by itself. */
async function endAtProvider({ identityProvider, log }: Needs, idpSessionId: string) {
  try {
    await identityProvider.endSession(idpSessionId);
  } catch (error) {
    log.warn({ err: error }, 'a session that has ended stays open at the identity provider');
  }
}
