import { setTimeout as sleep } from 'node:timers/promises';

import { badInput, Refusal } from '@foyer/shared/errors';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { admit } from './admit.ts';
import { deliverTokens, type Platform, type SignIn } from './deliver-tokens.ts';
import { openSession } from './open-session.ts';
import { companyCodeRequired, invalidCredentials } from './refusals.ts';

type Needs = Pick<
  Context,
  | 'db'
  | 'clock'
  | 'log'
  | 'identityProvider'
  | 'licenseGuard'
  | 'loginFloorMs'
  | 'tokens'
  | 'cookieRules'
  | 'client'
  | 'reply'
  | 'requestId'
>;

interface LoginInput {
  username: string;
  password: string;
  companyCode?: string | null | undefined;
  platform?: Platform | null | undefined;
}

/** Sizes that the identity provider takes. */
const Input = z.object({
  username: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  password: z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  companyCode: z.string().trim().max(100, 'must have at most 100 characters').nullish(),
});

/**
 * Signs a person in, by the rules of the document in their order.
 *
 * @throws {Refusal} `LICENSE_EXPIRED`, `COMPANY_CODE_REQUIRED`, `INVALID_CREDENTIALS`, `ORG_…`, `ACCOUNT_…`
 */
export async function login(needs: Needs, input: LoginInput): Promise<SignIn> {
  needs.licenseGuard.assertLicensed();
  const platform = input.platform ?? 'WEB';
  if (platform === 'WEB' && !input.companyCode?.trim()) throw companyCodeRequired();
  const { username, password, companyCode } = readInput(input);

  const answered = sleep(needs.loginFloorMs);
  try {
    const { person, idpSessionId } = await checkPassword(needs, username, password);
    try {
      const { user, organization } = await admit(needs, person, companyCode || null);
      const opened = await openSession(needs, { user, organization, platform, idpSessionId });
      const passwordChangeRequired = user.passwordChangeRequired || person.passwordChangeRequired;
      return deliverTokens(needs, platform, opened.tokens, { user: opened.person, passwordChangeRequired });
    } catch (error) {
      await endQuietly(needs, idpSessionId);
      throw error;
    }
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'INVALID_CREDENTIALS') await answered;
    throw error;
  }
}

function readInput(input: LoginInput) {
  const parsed = Input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw badInput(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}

/** Exactly one person must have that name; nobody is asked about a password before that is sure. */
async function checkPassword({ identityProvider, client, tokens }: Needs, username: string, password: string) {
  const [person, another] = await identityProvider.findUsers(username);
  if (!person || another) throw invalidCredentials();
  const idpSessionId = await identityProvider.openSession({
    loginName: person.loginName,
    password,
    lifetimeSeconds: tokens.refreshSeconds,
    device: { address: client.address, description: client.userAgent },
  });
  return { person, idpSessionId };
}

/** The provider's session of a login that comes to nothing. */
async function endQuietly({ identityProvider, log }: Needs, idpSessionId: string) {
  try {
    await identityProvider.endSession(idpSessionId);
  } catch (error) {
    log.warn({ err: error }, 'a session of a refused login stays open at the identity provider');
  }
}
