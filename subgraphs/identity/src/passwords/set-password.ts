import type { AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';

import { providerRefused } from '../at-provider/provider-refused.ts';
import type { Context } from '../context.ts';
import { withLease } from '../limits/lease.ts';
import { endSessionsOf, type EndedSession } from '../sessions/end-sessions.ts';
import { settlePasswordAttemptJob } from './settle-password-attempt.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'tokens' | 'jobs' | 'identityProvider'>;

interface Attempt {
  user: AuthUser;
  reason: 'password_changed' | 'password_reset';
  password: string;
  /** Given when the person must prove that they know it. */
  currentPassword?: string | undefined;
  /** The session that stays. */
  keptSessionId?: string | undefined;
}

interface Steps {
  /** Reads what to set, in the transaction before the provider is called. */
  begin(tx: IdentityTransaction): Promise<Attempt>;
  /** Called when the provider did not confirm. */
  failed?(): Promise<void>;
  /** Called when the provider confirmed. */
  record(tx: IdentityTransaction, user: AuthUser): Promise<void>;
}

/** Longer than any answer of the provider takes. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Has the provider set a person's password, and ends the previous sessions in the transaction that `steps.record`
 * completes. Changes of one password wait for each other; no lock is held while the provider is called. An attempt is
 * recorded before, with a job: if this process dies or the answer gets lost, the password may have changed, and the job
 * ends these sessions. A refusal changes nothing.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`, `PASSWORD_TOO_SIMPLE`, `PASSWORD_UNCHANGED`, `IDENTITY_PROVIDER_DOWN`, `BUSY`
 */
export function setPassword(needs: Needs, userId: string, steps: Steps): Promise<EndedSession[]> {
  return withLease(needs, `password:${userId}`, () => attemptToSet(needs, steps));
}

async function attemptToSet(needs: Needs, steps: Steps): Promise<EndedSession[]> {
  const { db, identityProvider } = needs;
  const { id, askedAt, user, reason, password, currentPassword, keptSessionId } = await db.$transaction(async (tx) => {
    const attempt = await steps.begin(tx);
    return { ...attempt, ...(await note(needs, tx, attempt)) };
  });
  try {
    await identityProvider.setPassword(user.idpUserId, password, currentPassword);
  } catch (error) {
    if (providerRefused(error)) await db.passwordAttempt.deleteMany({ where: { id } });
    await steps.failed?.();
    throw error;
  }
  return db.$transaction(async (tx) => {
    // Of earlier attempts too: their jobs would end the sessions that are opened with this password. First, because a job
    // locks its attempt before the user.
    await tx.passwordAttempt.deleteMany({ where: { userId: user.id, askedAt: { lte: askedAt } } });
    // A link that was sent before would set the password again, whoever holds it.
    await tx.passwordReset.deleteMany({ where: { userId: user.id, usedAt: null, createdAt: { lte: askedAt } } });
    await tx.authUser.updateMany({ where: { id: user.id }, data: { passwordChangeRequired: false } });
    const ended = await endSessionsOf(needs, tx, user.id, { reason, except: keptSessionId });
    await steps.record(tx, user);
    return ended;
  });
}

async function note(
  { clock, jobs }: Needs,
  tx: IdentityTransaction,
  { user, reason, keptSessionId }: Attempt,
): Promise<{ id: string; askedAt: Date }> {
  const askedAt = clock.now();
  const { id } = await tx.passwordAttempt.create({
    data: { userId: user.id, reason, keptSessionId: keptSessionId ?? null, askedAt },
  });
  const startAfter = new Date(askedAt.getTime() + SETTLED_AFTER_MS);
  await jobs.enqueue(settlePasswordAttemptJob, { id }, { within: tx, startAfter });
  return { id, askedAt };
}
