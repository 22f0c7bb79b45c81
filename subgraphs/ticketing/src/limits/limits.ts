import { networkOf } from '@foyer/shared/http/address';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { openRate } from '@foyer/shared/http/rates';
import type { SharedRedis } from '@foyer/shared/events/redis';

/** What one address may not do as often as it likes: guess e-mails, keep us printing, fill the house with guests. */
export type Limited = 'guestOrders' | 'inquiries' | 'paymentTokens' | 'receipts' | 'resends';

/** Counts what strangers do, by address and minute. */
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

interface Needs {
  clock: Clock;
  log: Log;
  /** Where all processes count together. */
  redis?: SharedRedis | undefined;
}

/** @param perMinute how many of each, from one address */
export function openLimits(perMinute: Record<Limited, number>, needs: Needs): Limits {
  const open = (name: Limited) => openRate({ ...needs, name, perMinute: perMinute[name] });
  const rates = {
    guestOrders: open('guestOrders'),
    inquiries: open('inquiries'),
    paymentTokens: open('paymentTokens'),
    receipts: open('receipts'),
    resends: open('resends'),
  };
  return {
    async take(what, address) {
      const retryAfter = await rates[what].take(networkOf(address));
      if (retryAfter > 0) throw rateLimited(retryAfter);
    },
  };
}

/** `RATE_LIMITS=off`: for load tests. */
export const noLimits: Limits = { take: () => Promise.resolve() };
