import { networkOf } from '@foyer/shared/http/addresses/address';
import { companyCodeOf } from '@foyer/shared/company-code';

import type { Context } from '../context.ts';
import type { LimitRule, Limits } from '../limits/limits.ts';

const WINDOW_SECONDS = 15 * 60;
/** Failures of one subject from one network or one known device. */
const fromOneOrigin: LimitRule = { name: 'login', most: 10, windowSeconds: WINDOW_SECONDS };
/** Failures of all subjects from one network. */
const perAddress: LimitRule = { name: 'login-address', most: 100, windowSeconds: WINDOW_SECONDS };
/** Failures of one subject from all networks: they slow answers down, but refuse nobody by themselves. */
const fromEverywhere: LimitRule = { name: 'login-everywhere', most: 2 ** 31 - 1, windowSeconds: WINDOW_SECONDS };
/** How often unknown devices may try once a subject has had many failures from everywhere. */
const paced: LimitRule = { name: 'login-pace', most: 1, windowSeconds: 10 };
const UNPACED_FAILURES = 30;

/** The number of failures in a row that are answered at the floor. */
const UNDELAYED_FAILURES = 5;
/**
 * The most floors that an answer takes. More would only keep connections open: after ten failures from one place there
 * are no more attempts.
 */
const MOST_SLOWNESS = 8;

type Needs = Pick<Context, 'limits' | 'client' | 'knownDevices'>;

/** The identifiers that somebody typed to log in. */
export interface LoginIdentifiers {
  username: string;
  /** Empty for mobile clients that send none. */
  companyCode: string;
}

/**
 * A name in the one spelling in which its attempts are counted. The provider's database may take `İ` for `i`: otherwise each
 * `i` of a name would double the guesses at its password.
 */
const counted = (name: string) => name.toLowerCase().replaceAll('i\u0307', 'i');

/** The subject of a member of staff: its attempts are counted together and wait for each other. */
export const staffSubject = ({ username, companyCode }: LoginIdentifiers) =>
  `${counted(username)}\n${companyCodeOf(companyCode)}`;

/** The subject of a customer of the storefront. It never equals a staff subject, whose user name is not empty. */
export const customerSubject = (email: string) => `\n\n${counted(email.trim())}`;

interface Account {
  username: string;
  email: string;
  org: { companyCode: string };
}

/**
 * Clears all counted failures of an account. Failures are counted by what was typed: either name, on the web with the
 * company code, on mobile perhaps without.
 *
 * @returns how many failures no longer count
 */
export async function forgetAttemptsOf(
  limits: Pick<Limits, 'forget'>,
  { username, email, org }: Account,
): Promise<number> {
  let failures = 0;
  for (const name of new Set([username.toLowerCase(), email.toLowerCase()]))
    for (const companyCode of [org.companyCode, ''])
      failures += await forgetAttempts(limits, staffSubject({ username: name, companyCode }));
  return failures;
}

/** Clears all counted failures of a subject. */
export async function forgetAttempts(limits: Pick<Limits, 'forget'>, subject: string): Promise<number> {
  await limits.forget(paced, subject);
  await limits.forget(fromEverywhere, subject);
  return limits.forget(fromOneOrigin, subject);
}

/** Clears the failures of everybody at an address. */
export const forgetAttemptsFrom = (limits: Pick<Limits, 'forget'>, address: string): Promise<number> =>
  limits.forget(perAddress, networkOf(address));

/** The origin of an attempt: a device that is known for this subject, or a network. */
export async function originOf({ client, knownDevices }: Omit<Needs, 'limits'>, subject: string): Promise<string> {
  const device = await knownDevices.recognize(client.device, subject);
  return device ? `device ${device}` : networkOf(client.address);
}

/** A login attempt, counted as a failure until it turns out otherwise. */
interface Attempt {
  /** How many floors a failure's answer takes; it grows with the failures so far. */
  slowness: number;
  succeeded(): Promise<void>;
  /** The attempt failed, but not because of wrong credentials. */
  voided(): Promise<void>;
}

const slownessOf = (failures: number) => Math.min(2 ** Math.max(0, failures - UNDELAYED_FAILURES), MOST_SLOWNESS);

/**
 * Begins an attempt. Unknown names are counted like all others, so that the count reveals nothing. A device on which
 * this subject has logged in before is counted by itself: failures elsewhere neither slow nor block it.
 *
 * @throws {Refusal} `RATE_LIMITED` after ten failures for this subject from here, a hundred from this address, or, after
 *   thirty from everywhere, for all but one attempt in ten seconds
 */
export async function beginAttempt(needs: Needs, subject: string): Promise<Attempt> {
  const { limits, client, knownDevices } = needs;
  const device = await knownDevices.recognize(client.device, subject);
  if (!device) return beginUnknown(needs, subject);
  const own = await limits.take(fromOneOrigin, [subject, `device ${device}`]);
  return { slowness: slownessOf(own.number), succeeded: () => own.forget(), voided: () => own.giveBack() };
}

async function beginUnknown({ limits, client }: Needs, subject: string): Promise<Attempt> {
  const network = networkOf(client.address);
  const { numbers, giveBack } = await limits.takeAll([
    [fromOneOrigin, [subject, network]],
    [fromEverywhere, subject],
    [perAddress, network],
  ]);
  const [, everywhere = 1] = numbers;
  try {
    // Last, because this slot is not given back: only an attempt that may proceed uses one up.
    if (everywhere > UNPACED_FAILURES) await limits.take(paced, subject);
  } catch (error) {
    await giveBack();
    throw error;
  }
  return { slowness: slownessOf(everywhere), succeeded: () => giveBack('clear the first'), voided: () => giveBack() };
}
