import type { Refusal } from '@foyer/shared/errors';
import { z } from 'zod';

import { passwordTooSimple, passwordUnchanged } from '../../passwords/refusals.ts';
import { invalidCredentials } from '../../sessions/refusals.ts';
import { organizationNameTaken, usernameTaken } from '../../tenancy/refusals.ts';
import { identityProviderDown } from './refusals.ts';

const Failure = z.object({ message: z.string() });

/** For a wrong password and for a person who is unknown, inactive, locked or without a password alike. */
const credentials = new Set([
  'COMMAND-3M0fs',
  'QUERY-Dfbg2',
  'SESSION-Gj4ko',
  'COMMAND-JLK35',
  'COMMAND-SFA3t',
  'COMMAND-3nJ4t',
]);

const passwordRules: Record<string, string> = {
  'DOMAIN-HuJf6': 'is too short',
  'DOMAIN-co3Xw': 'needs a lower-case letter',
  'DOMAIN-VoaRj': 'needs an upper-case letter',
  'DOMAIN-ZBv4H': 'needs a digit',
  'DOMAIN-ZDLwA': 'needs a symbol',
};

const NAME_TAKEN = 'V3-DKcYh';
const PASSWORD_UNCHANGED = 'COMMAND-Aesh5';
/** Of a changed password; of a new person's it passes on what its library says. */
const NOT_HASHED = 'COMMAND-CahN2';
const OF_BCRYPT = /\bbcrypt: /;

/** The meaning of the provider's error ids. Its messages are translated; the id at their end is not. */
export const errorId = (answer: unknown): string | undefined =>
  /\(([A-Z0-9]+-[A-Za-z0-9]+)\)$/.exec(Failure.safeParse(answer).data?.message ?? '')?.[1];

/** An unusable answer; the message contains nothing of the request. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';

  constructor(method: string, what: string) {
    super(`the identity provider's answer to ${method} can't be used: ${what}`);
  }

  refusal(): Refusal {
    return identityProviderDown(this);
  }
}

/** No answer came in time: the provider may or may not have carried out the request. */
export class NotInTime extends UnusableAnswer {}

/** The provider did not find what the call named. */
export class NotThere extends UnusableAnswer {}

/** The provider could not hash a password. */
export class NotHashed extends UnusableAnswer {}

/** The answer names no error of the provider: an older version has no such call, or something else answers at the address. */
export class NoSuchCall extends UnusableAnswer {}

/** Maps a refused call to our own errors. */
export function refusalFor(method: string, status: number, answer: unknown): Refusal {
  const id = errorId(answer) ?? '';
  // Only a session check reports credentials when it finds nobody.
  if (credentials.has(id) && (method === 'CreateSession' || id === 'COMMAND-3M0fs'))
    return invalidCredentials(new UnusableAnswer(method, id));
  if (passwordRules[id]) return passwordTooSimple(passwordRules[id]);
  if (id === PASSWORD_UNCHANGED) return passwordUnchanged();
  if (id === NAME_TAKEN) return method === 'AddOrganization' ? organizationNameTaken() : usernameTaken();
  if (id === NOT_HASHED || OF_BCRYPT.test(Failure.safeParse(answer).data?.message ?? ''))
    return new NotHashed(method, `${status} ${id}`).refusal();
  if (status === 404) return new (id ? NotThere : NoSuchCall)(method, `${status} ${id}`).refusal();
  return new UnusableAnswer(method, `${status} ${id}`).refusal();
}
