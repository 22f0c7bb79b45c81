import { networkOf } from '@foyer/shared/http/addresses/address';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { RESET_SECONDS, sendPasswordResetJob } from './send-password-reset.ts';

type Needs = Pick<Context, 'viewer' | 'jobs' | 'limits' | 'client'>;

const perAddress = { name: 'password-reset:ip', most: 20, windowSeconds: 15 * 60 };

const Input = z.object({
  email: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  companyCode: z.string().trim().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
});

/**
 * Requests a link to choose a new password. A job looks the account up later, so that answer and time are the same for
 * everybody.
 *
 * @throws {Refusal} `RATE_LIMITED` for a network that sends too many requests
 */
export async function requestPasswordReset(needs: Needs, input: unknown): Promise<{ expiresIn: number }> {
  const { email, companyCode } = readInput(Input, input);
  // A service acts for many people from one address, and has counted them itself.
  if (needs.viewer?.kind !== 'service') await needs.limits.take(perAddress, networkOf(needs.client.address));
  const { language } = needs.client;
  await needs.jobs.enqueue(sendPasswordResetJob, { email, companyCode, ...(language && { language }) });
  return { expiresIn: RESET_SECONDS };
}
