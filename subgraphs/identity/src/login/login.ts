import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { passwordInput, personNameInput } from '../at-provider/inputs.ts';
import type { Context } from '../context.ts';
import { admit, findKnown } from './admit.ts';
import { attemptLogin } from './attempt-login.ts';
import { deliverTokens, type Platform, type LoginResult } from '../sessions/deliver-tokens.ts';
import { endAtProvider } from '../sessions/end-sessions.ts';
import { findIdpUser, type Identified } from './find-idp-user.ts';
import { staffSubject } from './login-attempts.ts';
import { auditRefusal } from './audit-refusal.ts';
import { openSession } from '../sessions/open-session.ts';
import { companyCodeRequired } from '../sessions/refusals.ts';

type Needs = Pick<
  Context,
  | 'db'
  | 'clock'
  | 'log'
  | 'identityProvider'
  | 'licenseGuard'
  | 'limits'
  | 'knownDevices'
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

const Input = z.object({
  username: personNameInput,
  password: passwordInput,
  companyCode: z.string().trim().max(100, 'must have at most 100 characters').nullish(),
});

/**
 * Logs a person in, by the documented rules in their order (spec 1, "Login rules").
 *
 * @throws {Refusal} `LICENSE_EXPIRED`, `COMPANY_CODE_REQUIRED`, `RATE_LIMITED`, `INVALID_CREDENTIALS`, `ORG_…`, `ACCOUNT_…`
 */
export async function login(needs: Needs, input: LoginInput): Promise<LoginResult> {
  needs.licenseGuard.assertLicensed();
  const platform = input.platform ?? 'WEB';
  if (platform === 'WEB' && !input.companyCode?.trim()) throw companyCodeRequired();
  const { username, password, companyCode } = readInput(Input, input);
  const identifiers = { username, companyCode: companyCode ?? '' };

  let idpUserId: string | undefined;
  return attemptLogin(needs, staffSubject(identifiers), {
    check: async () => {
      const identified = await findIdpUser(needs, identifiers);
      idpUserId = identified.person.id;
      return logIn(needs, identified, { password, platform });
    },
    remembersDevice: platform === 'WEB',
    refused: (reason) => auditRefusal(needs, { companyCode: identifiers.companyCode, idpUserId, reason }),
  });
}

async function logIn(
  needs: Needs,
  identified: Identified,
  { password, platform }: { password: string; platform: Platform },
): Promise<LoginResult> {
  const { person } = identified;
  const { identityProvider, client, tokens } = needs;
  const known = await findKnown(needs, person); // before the check: its password may be changed while the provider answers
  const idpSessionId = await identityProvider.openSession({
    loginName: person.loginName,
    password,
    lifetimeSeconds: tokens.refreshSeconds,
    device: { address: client.address, description: client.userAgent },
  });
  try {
    const user = await admit(needs, identified, known);
    const opened = await openSession(needs, { user, platform, idpSessionId });
    const passwordChangeRequired = user.passwordChangeRequired || person.passwordChangeRequired;
    return deliverTokens(needs, platform, opened.tokens, { user: opened.person, passwordChangeRequired });
  } catch (error) {
    await endAtProvider(needs, [{ idpSessionId }]); // the login failed after the password check
    throw error;
  }
}
