import { Refusal } from '@foyer/shared/errors';
import { readInput } from '@foyer/shared/read-input';
import { requireStaff, unauthenticated, type Staff } from '@foyer/shared/viewer';
import { z } from 'zod';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { endAtProvider, endSessionsOf, type EndedSession } from '../sessions/end-sessions.ts';
import { currentPasswordRequired } from './refusals.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'clock' | 'log' | 'tokens' | 'limits' | 'identityProvider' | 'client' | 'requestId'
>;

/** The identity provider takes its time. */
const TIMEOUT_MS = 60_000;

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

/** The provider comes last: what fails before has changed nothing there, and what it refuses changes nothing here. */
async function change(needs: Needs, staff: Staff, password: string, current?: string): Promise<EndedSession[]> {
  const { userId, sessionId } = staff;
  return needs.db.$transaction(
    async (tx) => {
      // A token outlives its session by some minutes: too long for this.
      const session = await tx.refreshSession.findUnique({ where: { id: sessionId, userId } });
      if (!session) throw unauthenticated();
      const [user] = await tx.authUser.updateManyAndReturn({
        where: { id: userId, ...(current === undefined && { passwordChangeRequired: true }) },
        data: { passwordChangeRequired: false },
      });
      if (!user) throw currentPasswordRequired();
      const ended = await endSessionsOf(needs, tx, userId, { reason: 'password_changed', except: sessionId });
      const target = { kind: 'user', id: userId };
      await auditChange(needs, tx, { organizationId: user.orgId, action: 'password.changed', target });
      await needs.identityProvider.setPassword(user.idpUserId, password, current);
      return ended;
    },
    { timeout: TIMEOUT_MS },
  );
}
