import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { retakeCapacity } from '../capacity/reservations.ts';
import { findDiscrepancies } from '../checkout/audit-reservations.ts';
import { createOrder } from '../checkout/create-order.ts';
import type { Context } from '../context.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { staffWith } from '../testing/staff-with.ts';
import { dateColumn, daysAfter } from '../units/calendar.ts';
import { readAvailability } from '../ticket-groups/read-availability.ts';
import { updateTicketVariant } from './update-ticket-variant.ts';

let ticketing: ScratchTicketing;
let staff: Context;

beforeAll(async () => {
  ticketing = await openScratchTicketing();
  staff = staffWith('catalogue:manage', ticketing.context);
}, 60_000);
afterAll(() => ticketing.stop());

/** A day of which four places were sold while the variant had no capacity of its own. */
async function fourSold() {
  const { context, bankUrl } = ticketing;
  const { db } = context;
  const order = await createBuyer(context, bankUrl).orders({ dailyCapacity: 10, quantity: 4 });
  const { ticketGroupId, input } = order;
  const group = await db.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId }, include: { variants: true } });
  const ticketVariantId = String(group.variants[0]?.ticketVariantId);
  const names = { variant: 'Adult', nameBm: 'Dewasa', nameEn: 'Adult', nameCn: '成人', unitPriceSen: 50_00 };
  const { admitDate: day, items } = input;
  return {
    order,
    limit: (dailyCapacity: number | null) =>
      updateTicketVariant(staff, { ticketVariantId, input: { ...names, dailyCapacity } }),
    day,
    shown: async (on = day) => (await readAvailability(context, group, { from: on, to: on }))[0],
    buy: (quantityBought: number, admitDate = day) =>
      createOrder(context, {
        input: { ...input, admitDate, items: items.map((item) => ({ ...item, quantityBought })) },
      }).then(
        () => 'placed',
        ({ reason }: { reason: string }) => reason,
      ),
    /** Does something while the change of the variant is half done: it waits for a row of a later day. */
    async amidLimiting(dailyCapacity: number, something: () => Promise<unknown>) {
      const admitDate = dateColumn(daysAfter(day, 9));
      await db.variantDailyCapacity.create({
        data: { ticketVariantId: BigInt(ticketVariantId), admitDate, capacity: 1 },
      });
      const { doing } = await db.$transaction(
        async (tx) => {
          await tx.variantDailyCapacity.updateMany({ where: { admitDate }, data: { capacity: 2 } });
          const limiting = updateTicketVariant(staff, { ticketVariantId, input: { ...names, dailyCapacity } });
          await waitsForALock(ticketing.context.db, 1);
          let isOver = false;
          const meanwhile = something().finally(() => (isOver = true));
          await waitsForALock(ticketing.context.db, 2, () => isOver);
          return { doing: Promise.all([limiting, meanwhile]) };
        },
        { timeout: 30_000 },
      );
      await doing;
    },
    wrong: async () => (await findDiscrepancies({ db })).filter((one) => one.ticketGroupId === ticketGroupId),
  };
}

describe('a variant that gets a capacity after it was sold', () => {
  it('shows the places that can be ordered, and no more', async () => {
    const { limit, shown, buy, wrong } = await fourSold();

    await limit(6);

    expect(await shown()).toMatchObject({ status: 'AVAILABLE', remaining: 2 });
    expect([await buy(3), await buy(2)]).toEqual(['SOLD_OUT', 'placed']);
    expect(await shown()).toMatchObject({ status: 'SOLD_OUT' });
    await limit(null);
    await limit(7);
    expect(await shown()).toMatchObject({ remaining: 1 });
    expect(await wrong()).toEqual([]);
  });

  it('reads no order again when it gets another: nobody buys the group while many are counted', async () => {
    const { limit, shown } = await fourSold();
    await limit(6);

    await ticketing.context.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE ticketing.order_ticket_info`;
      await limit(7);
    });

    expect(await shown()).toMatchObject({ remaining: 3 });
  });

  it('is refused a capacity that is less than was sold', async () => {
    const { limit, shown } = await fourSold();

    await expect(limit(3)).rejects.toMatchObject({ reason: 'CAPACITY_BELOW_RESERVED' });
    await limit(4);
    expect(await shown()).toMatchObject({ status: 'SOLD_OUT' });
  });

  it('gives no more places than that to payments that come late', async () => {
    const { order, limit, wrong } = await fourSold();
    const { db } = ticketing.context;
    await db.$transaction((tx) => failOrder(tx, order, { bankCurrentStatus: 'EXPIRED' }));

    await limit(3);
    expect(await db.$transaction((tx) => retakeCapacity(tx, order))).toBe(false);
    await limit(4);
    expect(await db.$transaction((tx) => retakeCapacity(tx, order))).toBe(true);
    await db.orderTicketGroup.update({ where: { orderNo: order.orderNo }, data: { transactionStatus: 'PENDING' } });
    expect(await wrong()).toEqual([]);
  });

  it('counts no order that gives its places back at that moment', async () => {
    const { order, limit, shown, wrong } = await fourSold();

    const { limiting } = await ticketing.context.db.$transaction(
      async (tx) => {
        await failOrder(tx, order, { bankCurrentStatus: 'EXPIRED' });
        const limited = limit(6);
        await waitsForALock(ticketing.context.db, 1);
        return { limiting: limited };
      },
      { timeout: 30_000 },
    );
    await limiting;

    expect(await shown()).toMatchObject({ remaining: 6 });
    expect(await wrong()).toEqual([]);
  });

  it.each([
    ['a day that was sold', 0, 0],
    ['a day of which it is the first', 1, 4],
  ])('counts an order that is placed at that moment, for %s', async (_day, later, left) => {
    const { day, amidLimiting, buy, shown, wrong } = await fourSold();
    const on = daysAfter(day, later);

    await amidLimiting(6, () => buy(2, on));

    expect(await shown(on)).toMatchObject({ remaining: left });
    expect(await wrong()).toEqual([]);
  });

  it('is decided after the places that are given back at that moment', async () => {
    const { order, amidLimiting, shown, wrong } = await fourSold();
    const { db } = ticketing.context;

    await amidLimiting(6, () => db.$transaction((tx) => failOrder(tx, order, { bankCurrentStatus: 'EXPIRED' })));

    expect(await shown()).toMatchObject({ remaining: 6 });
    expect(await wrong()).toEqual([]);
  });
});
