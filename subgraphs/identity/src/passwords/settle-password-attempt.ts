import { defineJob, worker } from '@foyer/shared/jobs/job';
import { uuidText, type Id } from '@foyer/shared/ids';
import { z } from 'zod';

import { audit } from '../audit/write-audit.ts';
import type { Services } from '../context.ts';
import { endAtProvider, endSessionsOf } from '../sessions/end-sessions.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'tokens' | 'log' | 'identityProvider'>;

export const settlePasswordAttemptJob = defineJob({
  name: 'identity.settle-password-attempt',
  data: z.object({ id: uuidText() }),
  retries: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 10 * 60,
});

export const passwordAttemptWorker = (needs: Needs) =>
  worker(settlePasswordAttemptJob, ({ id }) => settlePasswordAttempt(needs, id));

/**
 * Ends the sessions from before a password that may have been set, when a process died before it could record the
 * provider's answer, or got none. Usually the attempt is over, and there is nothing to do.
 */
async function settlePasswordAttempt(needs: Needs, id: Id): Promise<void> {
  const ended = await needs.db.$transaction(async (tx) => {
    const attempt = await tx.passwordAttempt.findUnique({ where: { id }, include: { user: true } });
    if (!attempt) return [];
    // A concurrent settlement waits here, and then finds the attempt gone.
    if ((await tx.passwordAttempt.deleteMany({ where: { id } })).count === 0) return [];
    const { userId, user, keptSessionId } = attempt;
    const reason = attempt.reason === 'password_reset' ? 'password_reset' : 'password_changed';
    const sessions = await endSessionsOf(needs, tx, userId, { reason, except: keptSessionId ?? undefined });
    await audit(tx, {
      organizationId: user.orgId,
      userId: null,
      action: 'password.change-unconfirmed',
      target: { kind: 'user', id: userId },
    });
    return sessions;
  });
  await endAtProvider(needs, ended);
}
