import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { describe, expect, it } from 'vitest';

import { noLimits, openLimits, type Limits } from './limits.ts';

const perMinute = { guestOrders: 5, inquiries: 3, paymentTokens: 3, receipts: 3, resends: 1 };
const needs = { clock: systemClock, log: openLog('silent') };

async function getThrough(limits: Limits, times: number, address: string) {
  const takes = await Promise.allSettled(Array.from({ length: times }, () => limits.take('guestOrders', address)));
  return takes.filter(({ status }) => status === 'fulfilled').length;
}

describe('the limit per address and minute', () => {
  it('lets exactly five of forty through at the same time', async () => {
    expect(await getThrough(openLimits(perMinute, needs), 40, '192.0.2.1')).toBe(5);
  });

  it('counts each address and each kind separately', async () => {
    const limits = openLimits(perMinute, needs);
    await getThrough(limits, 40, '192.0.2.1');

    expect(await getThrough(limits, 1, '192.0.2.2')).toBe(1);
    await expect(limits.take('inquiries', '192.0.2.1')).resolves.toBeUndefined();
  });

  it('counts all of an IPv6 network as one', async () => {
    const limits = openLimits(perMinute, needs);
    await getThrough(limits, 40, '2001:db8::1');

    expect(await getThrough(limits, 1, '2001:db8::2')).toBe(0);
    expect(await getThrough(limits, 1, '2001:db8:0:1::2')).toBe(1);
  });

  it('says how long to wait', async () => {
    const limits = openLimits(perMinute, needs);
    await limits.take('resends', '192.0.2.1');

    const refused = await limits.take('resends', '192.0.2.1').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
    const { retryAfter } = (refused as { extensions: { retryAfter: number } }).extensions;
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('is off with RATE_LIMITS=off', async () => {
    expect(await getThrough(noLimits, 100, '192.0.2.1')).toBe(100);
  });
});
