import { setTimeout as sleep } from 'node:timers/promises';

import { Refusal } from '@foyer/shared/errors';

import { PasswordUnanswered } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import { beginAttempt, placeOf } from './login-attempts.ts';

export type AttemptNeeds = Pick<Context, 'limits' | 'knownDevices' | 'client' | 'reply' | 'loginFloorMs'>;

interface Attempt<Result> {
  /** Looks for the person and checks the password; a `Refusal` INVALID_CREDENTIALS counts as a failure. */
  check(): Promise<Result>;
  /** Whether the answer may set the cookie of a known device; not for clients that keep no cookies. */
  remembersDevice: boolean;
  /** Hears of every refusal, before it is answered. */
  refused?(reason: string): Promise<void>;
}

/**
 * Runs one attempt to sign in. Everything that checks a password passes here, staff and customers alike: attempts of one
 * subject from one network or known device wait for each other, failures are counted, and wrong credentials are answered no sooner than the floor
 * (`LOGIN_FLOOR_MS`), and later after many.
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
  const place = await placeOf(needs, subject);
  const tried = await needs.limits.inTurn(`${subject}\n${place}`, () => tryOnce(needs, subject, attempt));
  if ('loggedIn' in tried) return tried.loggedIn;
  if (tried.floorMs > 0) await sleep(tillNext(tried.floorMs, performance.now() - begun));
  throw tried.refused;
}

/** Answers leave at whole floors after the request came: what others took before it in its turn hardly shows. */
const tillNext = (floorMs: number, elapsedMs: number) => Math.ceil(elapsedMs / floorMs) * floorMs - elapsedMs;

/** One try, in the turn of this subject. */
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
    // A password that took too long to check stays counted: else a provider that slows down over wrong ones would leave
    // them uncounted just when there have been many.
    if (!wrong && !(refused instanceof PasswordUnanswered)) await attempt.voided();
    await hear?.(reason);
    return { refused, floorMs: wrong ? needs.loginFloorMs * attempt.slowness : 0 };
  }
}
