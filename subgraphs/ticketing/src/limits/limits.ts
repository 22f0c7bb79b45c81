import { Refusal } from '@foyer/shared/errors';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** What one address may not do as often as it likes: guess e-mails, keep us printing, fill the house with guests. */
export type Limited = 'guestOrders' | 'inquiries' | 'receipts' | 'resends';

/** Counts what strangers do, by address and minute. Each process counts for itself (docs/decisions/0021). */
export interface Limits {
  /**
   * Counts one, before it happens.
   *
   * @throws {Refusal} `RATE_LIMITED` with `retryAfter` in seconds
   */
  take(what: Limited, address: string): Promise<void>;
}

export const rateLimited = (retryAfter: number) =>
  new Refusal('RATE_LIMITED', 'RATE_LIMITED', 'Too many requests: wait a while before the next one.', { retryAfter });

const MINUTE_SECONDS = 60;

/** @param perMinute how many of each, from one address */
export function openLimits(perMinute: Record<Limited, number>): Limits {
  const counters = new Map(
    Object.entries(perMinute).map(([what, points]) => [
      what,
      new RateLimiterMemory({ keyPrefix: what, points, duration: MINUTE_SECONDS }),
    ]),
  );
  return {
    async take(what, address) {
      try {
        await counters.get(what)?.consume(address);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw rateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
      }
    },
  };
}

/** `RATE_LIMITS=off`: for load tests. */
export const noLimits: Limits = { take: () => Promise.resolve() };
