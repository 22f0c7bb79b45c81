import type { AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { httpStatusOf, Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { endSessionsOf, type EndedSession } from '../sessions/end-sessions.ts';
import { settlePasswordAttemptJob } from './settle-password-attempt.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'tokens' | 'jobs' | 'identityProvider'>;

interface Attempt {
  user: AuthUser;
  reason: 'password_changed' | 'password_reset';
  password: string;
  /** When the person must prove it. */
  currentPassword?: string | undefined;
  /** The one session that stays. */
  keptSessionId?: string | undefined;
}

interface Steps {
  /** Says what is to be set, in the transaction before the provider is asked. */
  begin(tx: IdentityTransaction): Promise<Attempt>;
  /** The provider did not say yes. */
  failed?(): Promise<void>;
  /** The provider said yes. */
  record(tx: IdentityTransaction, user: AuthUser): Promise<void>;
}

/** Later than any answer of the provider. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Has the provider set a password, and ends the sessions of before in the transaction that `steps.record` completes.
 * Nothing of ours is held while the provider is asked. That it is asked stands written before, with a job: if we die,
 * or its answer gets lost, the password may have changed, and the job ends these sessions. A refusal changes nothing.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`, `PASSWORD_TOO_SIMPLE`, `PASSWORD_UNCHANGED`, `IDENTITY_PROVIDER_DOWN`
 */
export async function setPassword(needs: Needs, steps: Steps): Promise<EndedSession[]> {
  const { db, identityProvider } = needs;
  const { id, user, reason, password, currentPassword, keptSessionId } = await db.$transaction(async (tx) => {
    const attempt = await steps.begin(tx);
    return { ...attempt, id: await note(needs, tx, attempt) };
  });
  try {
    await identityProvider.setPassword(user.idpUserId, password, currentPassword);
  } catch (error) {
    if (isNo(error)) await db.passwordAttempt.deleteMany({ where: { id } });
    await steps.failed?.();
    throw error;
  }
  return db.$transaction(async (tx) => {
    await tx.authUser.updateMany({ where: { id: user.id }, data: { passwordChangeRequired: false } });
    const ended = await endSessionsOf(needs, tx, user.id, { reason, except: keptSessionId });
    await tx.passwordAttempt.deleteMany({ where: { id } });
    await steps.record(tx, user);
    return ended;
  });
}

async function note(
  { clock, jobs }: Needs,
  tx: IdentityTransaction,
  { user, reason, keptSessionId }: Attempt,
): Promise<string> {
  const askedAt = clock.now();
  const { id } = await tx.passwordAttempt.create({
    data: { userId: user.id, reason, keptSessionId: keptSessionId ?? null, askedAt },
  });
  const startAfter = new Date(askedAt.getTime() + SETTLED_AFTER_MS);
  await jobs.enqueue(settlePasswordAttemptJob, { id }, { within: tx, startAfter });
  return id;
}

/** The provider has said no: as against saying nothing, or nothing that we understand. */
const isNo = (error: unknown) => error instanceof Refusal && httpStatusOf[error.code] < 500;
