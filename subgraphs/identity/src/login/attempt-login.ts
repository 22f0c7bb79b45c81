import { setTimeout as sleep } from 'node:timers/promises';

import { Refusal } from '@foyer/shared/errors';

import { PasswordUnanswered } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import { beginAttempt, originOf } from './login-attempts.ts';

export type AttemptNeeds = Pick<Context, 'limits' | 'knownDevices' | 'client' | 'reply' | 'loginFloorMs'>;

interface Attempt<Result> {
  /** Finds the person and checks the password; the `Refusal` INVALID_CREDENTIALS counts as a failure. */
  check(): Promise<Result>;
  /** Whether to set the cookie of a known device; false for clients that keep no cookies. */
  remembersDevice: boolean;
  /** Called with every refusal, before it is answered. */
  refused?(reason: string): Promise<void>;
}

/**
 * Runs a login attempt. Every password check of staff and customers goes through here: attempts of one subject from one
 * network or known device wait for each other, failures are counted, and wrong credentials are answered no sooner than
 * the floor (`LOGIN_FLOOR_MS`), and later after many failures.
 *
 * @param subject whose attempts are counted together: `staffSubject` or `customerSubject`
 * @throws {Refusal} `RATE_LIMITED`, and what `check` throws
 */
export async function attemptLogin<Result>(
  needs: AttemptNeeds,
  subject: string,
  attempt: Attempt<Result>,
): Promise<Result> {
  const begun = performance.now();
  const origin = await originOf(needs, subject);
  const tried = await needs.limits.inTurn(`${subject}\n${origin}`, () => tryOnce(needs, subject, attempt));
  if ('loggedIn' in tried) return tried.loggedIn;
  if (tried.floorMs > 0) await sleep(tillNext(tried.floorMs, performance.now() - begun));
  throw tried.refused;
}

/** Answers leave at multiples of the floor after the request arrived, which hides the time it waited for others. */
const tillNext = (floorMs: number, elapsedMs: number) => Math.ceil(elapsedMs / floorMs) * floorMs - elapsedMs;

/** Runs the attempt when it is this subject's turn. */
async function tryOnce<Result>(
  needs: AttemptNeeds,
  subject: string,
  { check, remembersDevice, refused: hear }: Attempt<Result>,
): Promise<{ loggedIn: Result } | { refused: unknown; floorMs: number }> {
  const attempt = await beginAttempt(needs, subject);
  try {
    const loggedIn = await check();
    await attempt.succeeded();
    if (remembersDevice) needs.reply.cookies.push(await needs.knownDevices.remember(needs.client.device, subject));
    return { loggedIn };
  } catch (refused) {
    const reason = refused instanceof Refusal ? refused.reason : 'INTERNAL_SERVER_ERROR';
    const wrong = reason === 'INVALID_CREDENTIALS';
    // A password check that timed out stays counted: otherwise a provider that delays wrong passwords would leave them
    // uncounted just when there are many.
    if (!wrong && !(refused instanceof PasswordUnanswered)) await attempt.voided();
    await hear?.(reason);
    return { refused, floorMs: wrong ? needs.loginFloorMs * attempt.slowness : 0 };
  }
}
