import { networkOf } from '@foyer/shared/http/addresses/address';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';
import { openRate } from '@foyer/shared/http/rates';
import type { SharedRedis } from '@foyer/shared/events/redis';

import { rateLimited } from './refusals.ts';

/** What one address may do only so often per minute. */
export type Limited = 'guestOrders' | 'inquiries' | 'paymentTokens' | 'receipts' | 'resends';

/** Counts requests by address and minute. */
export interface Limits {
  /**
   * Counts one request before it is carried out.
   *
   * @throws {Refusal} `RATE_LIMITED` with `retryAfter` in seconds
   */
  take(what: Limited, address: string): Promise<void>;
}

interface Needs {
  clock: Clock;
  log: Log;
  /** Where all processes count together. */
  redis?: SharedRedis | undefined;
}

/** @param perMinute how many requests of each kind one address may send */
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
