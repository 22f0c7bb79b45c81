import { Refusal } from '@foyer/shared/errors';
import { z } from 'zod';

import { invalidCredentials } from '../../sessions/refusals.ts';

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
  'DOMAIN-HuJf6': 'The password is too short.',
  'DOMAIN-co3Xw': 'The password needs a lower-case letter.',
  'DOMAIN-VoaRj': 'The password needs an upper-case letter.',
  'DOMAIN-ZBv4H': 'The password needs a digit.',
  'DOMAIN-ZDLwA': 'The password needs a symbol.',
};

const NAME_TAKEN = 'V3-DKcYh';
const PASSWORD_UNCHANGED = 'COMMAND-Aesh5';

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
    const message = 'The identity provider can not be reached right now.';
    return new Refusal('UPSTREAM_UNAVAILABLE', 'IDENTITY_PROVIDER_DOWN', message, { cause: this });
  }
}

/** No answer came in time: the provider may or may not have done what it was asked. */
export class NotInTime extends UnusableAnswer {}

/** The provider did not find what the call named. */
export class NotThere extends UnusableAnswer {}

export const nameTaken = (reason: 'ORGANIZATION_NAME_TAKEN' | 'USERNAME_TAKEN') =>
  new Refusal('CONFLICT', reason, 'This name is taken.');

/** Maps a refused call to our own errors. */
export function refusalFor(method: string, status: number, answer: unknown): Refusal {
  const id = errorId(answer) ?? '';
  // Only a session check reports credentials when it finds nobody.
  if (credentials.has(id) && (method === 'CreateSession' || id === 'COMMAND-3M0fs'))
    return invalidCredentials(new UnusableAnswer(method, id));
  if (passwordRules[id]) return new Refusal('BAD_USER_INPUT', 'PASSWORD_TOO_SIMPLE', passwordRules[id]);
  if (id === PASSWORD_UNCHANGED)
    return new Refusal('BAD_USER_INPUT', 'PASSWORD_UNCHANGED', 'The new password must differ from the current one.');
  if (id === NAME_TAKEN) return nameTaken(method === 'AddOrganization' ? 'ORGANIZATION_NAME_TAKEN' : 'USERNAME_TAKEN');
  if (status === 404) return new NotThere(method, `${status} ${id}`).refusal();
  return new UnusableAnswer(method, `${status} ${id}`).refusal();
}
