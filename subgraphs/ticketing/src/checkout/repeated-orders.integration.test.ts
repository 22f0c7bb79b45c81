import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { createGuest, createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';
import { daysAfter } from '../units/calendar.ts';
import { sweepTokens } from '../payments/sweep-tokens.ts';
import { createFreeOrder, createOrder } from './create-order.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const day = nextWeek();

/** The input of an order of one ticket, by a buyer who has ordered nothing yet. */
async function anOrder(unitPriceSen = 50_00n) {
  const { db } = ticketing.context;
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, unitPriceSen });
  const buyer = { custId: await createGuest(db), buyerName: 'Siti', buyerEmail: 'siti@example.my' };
  return { input: { ticketGroupId, admitDate: day, items: [{ itemId, quantityBought: 1 }], ...buyer } };
}

describe('a repeated request', () => {
  it('orders once, however often and however fast it comes', async () => {
    const { input } = await anOrder();
    const request = { input, idempotencyKey: 'the-same-key' };

    const orders = await Promise.all(Array.from({ length: 8 }, () => createOrder(ticketing.context, request)));

    expect(new Set(orders.map(({ orderNo }) => orderNo)).size).toBe(1);
  });

  it('is remembered for a day, and not longer', async () => {
    const { db } = ticketing.context;
    const { input } = await anOrder();
    await createOrder(ticketing.context, { input, idempotencyKey: 'of-a-day' });
    const hoursLater = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
    const isKnown = async () => (await db.idempotencyKey.count({ where: { custId: input.custId } })) === 1;

    await sweepTokens({ db, clock: hoursLater(23) });
    expect(await isKnown()).toBe(true);
    await sweepTokens({ db, clock: hoursLater(25) });
    expect(await isKnown()).toBe(false);
  });

  it('is another order when that day is over, also before its key is deleted', async () => {
    const { input } = await anOrder();
    const request = { input, idempotencyKey: 'of-yesterday' };
    const first = await createOrder(ticketing.context, request);
    const hoursLater = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });

    const repeated = await createOrder({ ...ticketing.context, clock: hoursLater(23) }, request);
    const another = await createOrder({ ...ticketing.context, clock: hoursLater(25) }, request);

    expect(repeated.orderNo).toBe(first.orderNo);
    expect(another.orderNo).not.toBe(first.orderNo);
  });

  it('is refused when it requests something else under the same key', async () => {
    const { input } = await anOrder();
    await createOrder(ticketing.context, { input, idempotencyKey: 'a-key' });

    const other = createOrder(ticketing.context, { input: { ...input, buyerName: 'Ali' }, idempotencyKey: 'a-key' });

    await expect(other).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it.each([
    ['an order that must be paid', 50_00n, createOrder, createFreeOrder],
    ['a free order', 0n, createFreeOrder, createOrder],
  ])(
    'is refused when %s was placed under the same key, and the other kind is ordered',
    async (_kind, price, place, other) => {
      const { input } = await anOrder(price);
      await place(ticketing.context, { input, idempotencyKey: 'a-key' });

      await expect(other(ticketing.context, { input, idempotencyKey: 'a-key' })).rejects.toMatchObject({
        reason: 'IDEMPOTENCY_KEY_REUSED',
      });
    },
  );

  it.each([
    ['paid', createOrder, 50_00n],
    ['free', createFreeOrder, 0n],
  ])('is refused when an order of another day takes the key at that moment: %s', async (_kind, place, unitPriceSen) => {
    const { db } = ticketing.context;
    const { input } = await anOrder(unitPriceSen);
    const { custId, orderTicketGroupId } = await place(ticketing.context, { input });
    const key = { custId, key: 'a-key', bodyHash: 'of the other day', orderTicketGroupId };

    const ordering = await db.$transaction(async (tx) => {
      await tx.idempotencyKey.create({ data: { ...key, expiresAt: new Date(Date.now() + 60_000) } });
      const other = place(ticketing.context, {
        input: { ...input, admitDate: daysAfter(day, 1) },
        idempotencyKey: 'a-key',
      });
      const result = other.then(
        () => 'placed',
        ({ reason }: { reason?: string }) => reason,
      );
      await vi.waitFor(
        async () => {
          const waiting = await db.$queryRaw<
            unknown[]
          >`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
          expect(waiting).toHaveLength(1);
        },
        { timeout: 4_000 },
      );
      return { result };
    });

    expect(await ordering.result).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await db.orderTicketGroup.count({ where: { custId } })).toBe(1);
  });
});
