import type { IdentityTransaction } from '@foyer/prisma/identity';
import { Refusal } from '@foyer/shared/errors';
import { readInput } from '@foyer/shared/read-input';
import { requireStaff, unauthenticated, type Staff } from '@foyer/shared/auth/viewer';
import { z } from 'zod';

import { passwordInput } from '../at-provider/inputs.ts';
import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { endAtProvider, type EndedSession } from '../sessions/end-sessions.ts';
import { notifyOfOwnPassword } from '../staff-notifications/notify-staff.ts';
import { currentPasswordRequired } from './refusals.ts';
import { setPassword } from './set-password.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'clock' | 'log' | 'tokens' | 'jobs' | 'limits' | 'identityProvider' | 'client' | 'requestId'
>;

const guesses = { name: 'current-password', most: 10, windowSeconds: 15 * 60 };

const Input = z.object({
  currentPassword: z.string().max(200, 'must have at most 200 characters').nullish(),
  newPassword: passwordInput,
});

/**
 * Changes the viewer's password and ends their other sessions. The current password may be missing only while the
 * person must choose a new one, and then only once.
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

/** A refusal by the provider changes nothing. */
function change(needs: Needs, staff: Staff, password: string, currentPassword?: string): Promise<EndedSession[]> {
  const { userId: id, organizationId, sessionId: keptSessionId } = staff;
  const changed = { organizationId, action: 'password.changed', target: { kind: 'user', id } };
  return setPassword(needs, id, {
    begin: async (tx) => {
      const user = await assertMayChange(tx, staff, currentPassword);
      return { user, reason: 'password_changed', password, currentPassword, keptSessionId };
    },
    record: async (tx) => {
      await auditChange(needs, tx, changed);
      await notifyOfOwnPassword(needs, tx);
    },
  });
}

async function assertMayChange(
  tx: Pick<IdentityTransaction, 'refreshSession'>,
  { userId, sessionId }: Staff,
  current?: string,
) {
  // A token outlives its session by some minutes, which is too long for this.
  const session = await tx.refreshSession.findUnique({
    where: { id: sessionId, userId },
    include: { user: true },
  });
  if (!session) throw unauthenticated();
  if (current === undefined && !session.user.passwordChangeRequired) throw currentPasswordRequired();
  return session.user;
}
