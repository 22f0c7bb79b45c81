import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { endAtProvider, endSessionsOf } from '../sessions/end-sessions.ts';
import { accountRefused } from '../sessions/refusals.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { passwordResetInvalid } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'tokens' | 'identityProvider' | 'client' | 'requestId'>;

/** The identity provider takes its time. */
const TIMEOUT_MS = 60_000;

const Input = z.object({
  token: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  password: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
});

/**
 * Chooses a new password with a link, once, and ends every session of the person. A password that the
 * provider refuses leaves the link as it was.
 *
 * @throws {Refusal} `PASSWORD_RESET_INVALID`, `PASSWORD_TOO_SIMPLE`, `ACCOUNT_…`
 */
export async function confirmPasswordReset(needs: Needs, input: unknown): Promise<{ endedSessions: number }> {
  const { token, password } = readInput(Input, input);
  const link = { tokenHash: tokenHash(token) };
  const ended = await needs.db.$transaction(
    async (tx) => {
      const usedAt = needs.clock.now();
      const found = await tx.passwordReset.findUnique({ where: link });
      if (!found) throw passwordResetInvalid();
      const { userId: id } = found;
      await tx.$executeRaw`SELECT 1 FROM auth.users WHERE id = ${id}::uuid FOR UPDATE`;
      const usable = { ...link, usedAt: null, expiresAt: { gt: usedAt } };
      const { count } = await tx.passwordReset.updateMany({ where: usable, data: { usedAt } });
      if (count === 0) throw passwordResetInvalid();

      const user = await tx.authUser.update({ where: { id }, data: { passwordChangeRequired: false } });
      if (user.accountState !== 'active') throw accountRefused(user.accountState);
      const sessions = await endSessionsOf(needs, tx, id, { reason: 'password_reset' });
      await audit(tx, {
        organizationId: user.orgId,
        userId: id,
        action: 'password.reset',
        target: { kind: 'user', id },
        ip: needs.client.address,
        requestId: needs.requestId,
      });
      // Last: what fails before has changed nothing there.
      await needs.identityProvider.setPassword(user.idpUserId, password);
      return sessions;
    },
    { timeout: TIMEOUT_MS },
  );
  await endAtProvider(needs, ended);
  return { endedSessions: ended.length };
}
