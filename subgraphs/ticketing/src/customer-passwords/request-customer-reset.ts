import type { Context } from '../context.ts';
import { readResetRequest } from '../customers/customer-input.ts';
import { LINK_SECONDS } from '../links/customer-links.ts';
import { sendCustomerResetJob } from './send-customer-reset.ts';

type Needs = Pick<Context, 'client' | 'jobs' | 'customerDirectory'>;

/**
 * Requests a link to choose a new password. A job looks the customer up later, so that answer and time are the same for
 * everybody.
 *
 * @throws {Refusal} `VALIDATION_FAILED`; `RATE_LIMITED` for a network that sends too many requests
 */
export async function requestCustomerPasswordReset(
  { client, jobs, customerDirectory }: Needs,
  input: Parameters<typeof readResetRequest>[0],
): Promise<{ expiresIn: number }> {
  const { email, langChosen } = readResetRequest(input);
  await customerDirectory.admitRequest(client);
  await jobs.enqueue(sendCustomerResetJob, { email, langChosen });
  return { expiresIn: LINK_SECONDS };
}
