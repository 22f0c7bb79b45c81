import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { ProviderError, userNotFound, wrongPassword } from './errors.ts';
import { passwordMatches, pretendToCheck } from './passwords.ts';
import { details, type Provider } from './provider.ts';
import { newId, type User } from './state.ts';

const Create = z.object({
  checks: z
    .object({
      user: z.object({ loginName: z.string().min(1).max(200).optional(), userId: z.string().optional() }).optional(),
      password: z.object({ password: z.string().min(1).max(200) }).optional(),
    })
    .prefault({}),
  lifetime: z
    .string()
    .regex(/^\d+(\.\d+)?s$/)
    .optional(),
});

/** CreateSession checks a password: the session that it opens is the proof. */
export async function createSession(provider: Provider, body: unknown) {
  const { checks, lifetime } = Create.parse(body);
  const user = await checkUser(provider, checks);
  if (checks.password) await checkPassword(provider, user, checks.password.password);
  const sessionId = newId();
  const seconds = lifetime ? Number.parseFloat(lifetime) : Number.POSITIVE_INFINITY;
  const at = provider.now();
  provider.state.sessions.set(sessionId, { userId: user.id, expiresAt: at.getTime() + seconds * 1_000 });
  const [organization] = provider.state.organizations;
  return {
    details: details(at.toISOString(), organization?.id ?? ''),
    sessionId,
    sessionToken: randomBytes(32).toString('base64url'),
  };
}

const Delete = z.object({ sessionId: z.string().min(1).max(200) });

/** DeleteSession also succeeds for an unknown or ended session. */
export function deleteSession({ state, now }: Provider, body: unknown) {
  const { sessionId } = Delete.parse(body);
  state.sessions.delete(sessionId);
  const [organization] = state.organizations;
  return { details: details(now().toISOString(), organization?.id ?? '') };
}

async function checkUser(provider: Provider, { user: named, password }: z.output<typeof Create>['checks']) {
  const loginName = named?.loginName?.toLowerCase();
  const user = provider.state.users.find(
    ({ id, username }) => id === named?.userId || username.toLowerCase() === loginName,
  );
  if (!user) {
    if (password) await pretendToCheck(password.password);
    throw userNotFound();
  }
  if (user.state !== 'USER_STATE_ACTIVE')
    throw new ProviderError('failed_precondition', 'SESSION-Gj4ko', 'User is not active');
  return user;
}

async function checkPassword(provider: Provider, { human, ...user }: User, password: string) {
  const { switches, state } = provider;
  if (!human?.passwordHash) {
    await pretendToCheck(password);
    throw new ProviderError('failed_precondition', 'COMMAND-3nJ4t', 'User has no password');
  }
  if (await passwordMatches(human.passwordHash, password)) {
    human.failedAttempts = 0;
    return;
  }
  human.failedAttempts += 1;
  if (switches.tarpit) await sleep(800 + 1_000 * Math.floor(human.failedAttempts / 5));
  if (switches.lockAfter > 0 && human.failedAttempts >= switches.lockAfter) {
    const kept = state.users.find(({ id }) => id === user.id);
    if (kept) kept.state = 'USER_STATE_LOCKED';
    await state.save();
    throw new ProviderError('failed_precondition', 'COMMAND-SFA3t', 'User is locked');
  }
  throw wrongPassword(human.failedAttempts);
}
