import type { AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { passwordInput } from '../at-provider/inputs.ts';
import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { endAtProvider, type EndedSession } from '../sessions/end-sessions.ts';
import { forgetAttemptsOf } from '../login/login-attempts.ts';
import { accountRefused } from '../sessions/refusals.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { passwordResetInvalid } from './refusals.ts';
import { setPassword } from './set-password.ts';

type Needs = Pick<
  Context,
  'db' | 'clock' | 'log' | 'tokens' | 'jobs' | 'identityProvider' | 'limits' | 'client' | 'requestId'
>;

interface Link {
  tokenHash: Uint8Array<ArrayBuffer>;
}

const Input = z.object({
  token: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  password: passwordInput,
});

/**
 * Sets a new password with a link, once, and ends all sessions of the person. If the provider refuses the password, the
 * link stays usable.
 *
 * @throws {Refusal} `PASSWORD_RESET_INVALID`, `PASSWORD_TOO_SIMPLE`, `ACCOUNT_…`, `BUSY`
 */
export async function confirmPasswordReset(needs: Needs, input: unknown): Promise<{ endedSessions: number }> {
  const { token, password } = readInput(Input, input);
  const link = { tokenHash: tokenHash(token) };
  const found = await needs.db.passwordReset.findUnique({ where: link });
  if (!found || found.usedAt) throw passwordResetInvalid(); // without waiting for whoever uses it
  const ended = await reset(needs, found.userId, link, password);
  await endAtProvider(needs, ended);
  await forgetFailures(needs, link);
  return { endedSessions: ended.length };
}

function reset(needs: Needs, userId: string, link: Link, password: string): Promise<EndedSession[]> {
  let usedAt: Date;
  return setPassword(needs, userId, {
    begin: async (tx) => {
      usedAt = needs.clock.now();
      return { user: await useLink(tx, link, usedAt), reason: 'password_reset', password };
    },
    failed: async () =>
      void (await needs.db.passwordReset.updateMany({ where: { ...link, usedAt }, data: { usedAt: null } })),
    record: (tx, user) => recordReset(needs, tx, user),
  });
}

/** Marks the link as used; the first to write `usedAt` wins. No lock is held while the provider is called. */
async function useLink(tx: IdentityTransaction, link: Link, usedAt: Date): Promise<AuthUser> {
  const found = await tx.passwordReset.findUnique({ where: link });
  if (!found) throw passwordResetInvalid();
  const usable = { ...link, usedAt: null, expiresAt: { gt: usedAt } };
  const { count } = await tx.passwordReset.updateMany({ where: usable, data: { usedAt } });
  if (count === 0) throw passwordResetInvalid();
  const user = await tx.authUser.findUniqueOrThrow({ where: { id: found.userId } });
  if (user.accountState !== 'active') throw accountRefused(user.accountState);
  return user;
}

/** The owner of the mailbox may log in at once, however often others have failed in their name. */
async function forgetFailures({ db, limits }: Needs, link: Link): Promise<void> {
  const reset = await db.passwordReset.findUnique({ where: link, include: { user: { include: { org: true } } } });
  if (reset) await forgetAttemptsOf(limits, reset.user);
}

const recordReset = ({ client, requestId }: Needs, tx: IdentityTransaction, { id, orgId }: AuthUser): Promise<void> =>
  audit(tx, {
    organizationId: orgId,
    userId: id,
    action: 'password.reset',
    target: { kind: 'user', id },
    ip: client.address,
    requestId,
  });
