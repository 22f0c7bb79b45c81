import type { IdentityDatabase } from '@foyer/prisma/identity';
import { Refusal } from '@foyer/shared/errors';
import { readInput } from '@foyer/shared/read-input';
import { requireStaff, unauthenticated, type Staff } from '@foyer/shared/viewer';
import { z } from 'zod';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { withLease } from '../limits/lease.ts';
import { endAtProvider, endSessionsOf, type EndedSession } from '../sessions/end-sessions.ts';
import { currentPasswordRequired } from './refusals.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'clock' | 'log' | 'tokens' | 'limits' | 'identityProvider' | 'client' | 'requestId'
>;

const guesses = { name: 'current-password', most: 10, windowSeconds: 15 * 60 };

const Input = z.object({
  currentPassword: z.string().max(200, 'must have at most 200 characters').nullish(),
  newPassword: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
});

/**
 * Chooses a new password, and ends every other session of the person. The current password may be missing
 * only while the person must choose a new one, and then only once.
 *
 * @throws {Refusal} `CURRENT_PASSWORD_REQUIRED`, `INVALID_CREDENTIALS`, `PASSWORD_TOO_SIMPLE`,
 *   `PASSWORD_UNCHANGED`, `RATE_LIMITED`
 */
export async function changePassword(needs: Needs, input: unknown): Promise<{ endedSessions: number }> {
  const staff = requireStaff(needs.viewer);
  const { currentPassword, newPassword } = readInput(Input, input);
  const guess = await needs.limits.take(guesses, staff.userId);
  try {
    const ended = await change(needs, staff, newPassword, currentPassword || undefined);
    await guess.forget();
    await endAtProvider(needs, ended);
    return { endedSessions: ended.length };
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'INVALID_CREDENTIALS')) await guess.giveBack();
    throw error;
  }
}

/**
 * One change of a person's password at a time, and nothing of ours held while the provider is asked. What it refuses
 * has changed nothing; a crash after its yes leaves the new password, and the sessions as they were.
 */
function change(needs: Needs, staff: Staff, password: string, current?: string): Promise<EndedSession[]> {
  const { db, identityProvider } = needs;
  return withLease(needs, `password:${staff.userId}`, async () => {
    const user = await assertMayChange(db, staff, current);
    await identityProvider.setPassword(user.idpUserId, password, current);
    return db.$transaction(async (tx) => {
      const { userId: id, sessionId } = staff;
      await tx.authUser.updateMany({ where: { id }, data: { passwordChangeRequired: false } });
      const ended = await endSessionsOf(needs, tx, id, { reason: 'password_changed', except: sessionId });
      const target = { kind: 'user', id };
      await auditChange(needs, tx, { organizationId: user.orgId, action: 'password.changed', target });
      return ended;
    });
  });
}

async function assertMayChange(
  db: Pick<IdentityDatabase, 'refreshSession'>,
  { userId, sessionId }: Staff,
  current?: string,
) {
  // A token outlives its session by some minutes: too long for this.
  const session = await db.refreshSession.findUnique({
    where: { id: sessionId, userId },
    include: { user: true },
  });
  if (!session) throw unauthenticated();
  if (current === undefined && !session.user.passwordChangeRequired) throw currentPasswordRequired();
  return session.user;
}
