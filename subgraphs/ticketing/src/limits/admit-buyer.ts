import type { Context } from '../context.ts';

/**
 * Lets through who is about to order: a customer who has signed in at any time, everybody else so often.
 *
 * @throws {Refusal} `RATE_LIMITED`
 */
export async function admitBuyer<Needs extends Pick<Context, 'viewer' | 'client' | 'limits'>>(
  needs: Needs,
): Promise<Needs> {
  if (needs.viewer?.kind !== 'customer') await needs.limits.take('guestOrders', needs.client.address);
  return needs;
}
