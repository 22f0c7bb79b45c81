import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { audit } from '../audit/write-audit.ts';
import { endAtProvider, endSessionsOf, type EndReason } from './end-sessions.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'tokens' | 'log' | 'identityProvider' | 'client' | 'requestId'>;

/**
 * Ends sessions of one user, here and at the identity provider, audits it, and notifies the user's other devices.
 *
 * @param which all, unless it names the `only` one, or the one to keep (`except`)
 * @returns how many this call ended
 */
export async function endOwnSessions(
  needs: Needs,
  { userId, organizationId }: { userId: Id; organizationId: Id },
  which: { reason: EndReason; except?: string; only?: string },
): Promise<number> {
  const ended = await needs.db.$transaction(async (tx) => {
    const sessions = await endSessionsOf(needs, tx, userId, which);
    for (const { id } of sessions) {
      await audit(tx, {
        organizationId,
        userId,
        action: 'session.ended',
        target: { kind: 'session', id },
        ip: needs.client.address,
        reason: which.reason,
        requestId: needs.requestId,
      });
    }
    return sessions;
  });
  await endAtProvider(needs, ended);
  return ended.length;
}
