import { networkOf } from '@foyer/shared/http/addresses/address';
import { newId } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { emailInput } from '../at-provider/inputs.ts';
import type { Context } from '../context.ts';
import { ifAllowed } from '../limits/if-allowed.ts';
import { enqueueMail } from '../mails/send-mail.ts';
import { CODE_SECONDS, newSignupCode, signupCodeHash } from './signup-code.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'sealer' | 'limits' | 'client'>;

const perAddress = { name: 'signup-code:ip', most: 20, windowSeconds: 15 * 60 };
/**
 * Each code may be tried five times: the fewer codes, the fewer tries. The window is as long as a code lives, so that
 * somebody who gets no further mail still has a valid code.
 */
const perEmail = { name: 'signup-code:email', most: 3, windowSeconds: CODE_SECONDS };

const Input = z.object({ email: emailInput });

/**
 * Sends a code of six digits to an address, which replaces the previous code. The answer is the same for every address.
 *
 * @throws {Refusal} `RATE_LIMITED` for a network that sends too many requests; too many requests for one address are ignored
 */
export async function requestSignupCode(needs: Needs, input: { email: string }): Promise<{ expiresIn: number }> {
  const email = readInput(Input, input).email.toLowerCase();
  await needs.limits.take(perAddress, networkOf(needs.client.address));
  await ifAllowed(needs.limits, perEmail, email, () => sendCode(needs, email));
  return { expiresIn: CODE_SECONDS };
}

async function sendCode(needs: Needs, email: string): Promise<void> {
  const id = newId();
  const code = newSignupCode();
  const createdAt = needs.clock.now();
  const expiresAt = new Date(createdAt.getTime() + CODE_SECONDS * 1_000);
  await needs.db.$transaction(async (tx) => {
    await tx.emailVerificationCode.create({
      data: { id, email, codeHash: signupCodeHash(id, code), createdAt, expiresAt },
    });
    const content = { kind: 'verification-code', code, minutes: CODE_SECONDS / 60 } as const;
    await enqueueMail(needs, tx, { to: email, until: expiresAt, language: needs.client.language, content });
  });
}
