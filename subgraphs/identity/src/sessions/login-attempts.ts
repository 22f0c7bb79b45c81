import { networkOf } from '@foyer/shared/address';

import type { Context } from '../context.ts';
import type { LimitRule, Limits } from '../limits/limits.ts';

const WINDOW_SECONDS = 15 * 60;
const perIdentifier: LimitRule = { name: 'login', most: 10, windowSeconds: WINDOW_SECONDS };
const perAddress: LimitRule = { name: 'login-address', most: 100, windowSeconds: WINDOW_SECONDS };

/** Failures in a row that cost no more than the floor. */
const UNDELAYED_FAILURES = 5;
/** Slower would only keep connections open: the tenth failure is the last in any case. */
const MOST_SLOWNESS = 8;

type Needs = Pick<Context, 'limits' | 'client'>;

/** Who somebody says to be. */
export interface Who {
  username: string;
  /** Empty for mobile clients that name none. */
  companyCode: string;
}

/** Whose attempts are counted together, and wait for each other. */
export const staffSubject = ({ username, companyCode }: Who) =>
  `${username.toLowerCase()}\n${companyCode.toUpperCase()}`;

/** The same for a customer of the storefront: never the subject of a member of staff, whose user name is not empty. */
export const customerSubject = (email: string) => `\n\n${email.trim().toLowerCase()}`;

/** Lets somebody try again who has failed too often. @returns how many failures no longer count */
export const forgetAttempts = (limits: Pick<Limits, 'forget'>, who: Who): Promise<number> =>
  limits.forget(perIdentifier, staffSubject(who));

/** The same for everybody at an address. */
export const forgetAttemptsFrom = (limits: Pick<Limits, 'forget'>, address: string): Promise<number> =>
  limits.forget(perAddress, networkOf(address));

/** An attempt to sign in, counted as a failure until it is known to be none. */
interface Attempt {
  /** Failures so far make the next answer slower: how many times the floor it takes. */
  slowness: number;
  succeeded(): Promise<void>;
  /** It failed, but not because of a wrong credential. */
  voided(): Promise<void>;
}

/**
 * Begins an attempt. Names that nobody has are counted like all others, so that the count tells nothing.
 *
 * @throws {Refusal} `RATE_LIMITED` after ten failures for this subject, or a hundred from this address
 */
export async function beginAttempt({ limits, client }: Needs, subject: string): Promise<Attempt> {
  const own = await limits.take(perIdentifier, subject);
  const fromHere = await limits.take(perAddress, networkOf(client.address)).catch(async (error: unknown) => {
    await own.giveBack();
    throw error;
  });
  return {
    slowness: Math.min(2 ** Math.max(0, own.number - UNDELAYED_FAILURES), MOST_SLOWNESS),
    async succeeded() {
      await own.forget();
      await fromHere.giveBack();
    },
    async voided() {
      await own.giveBack();
      await fromHere.giveBack();
    },
  };
}
