import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dateColumn, dayOf, daysAfter } from '../units/calendar.ts';
import { openDayReader } from '../catalogue/read-days.ts';
import { createOrder } from '../checkout/create-order.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek, createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { readAvailability } from './read-availability.ts';
import { watchAvailability } from './watch-availability.ts';

let ticketing: ScratchTicketing;
/** How far the server's clock is ahead. */
const shift = { ms: 0 };
const timeIs = (moment: string) => void (shift.ms = Date.parse(`${moment}+08:00`) - Date.now());
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock: { now: () => new Date(Date.now() + shift.ms) } });
}, 60_000);
afterAll(() => ticketing.stop());

const [day, dayAfter] = [nextWeek(), daysAfter(nextWeek(), 1)];
const today = dayOf(new Date());
/** A day that can be ordered from tomorrow on, ten days ahead. */
const dayAfterLast = daysAfter(today, 11);

/** Changes the group but none of its days; subscribers read again. */
const touch = (ticketGroupId: string) =>
  ticketing.context.db.ticketGroup.update({
    where: { ticketGroupId: BigInt(ticketGroupId) },
    data: { location: randomUUID() },
  });

async function follow(dailyCapacity: number, dates = [day, dayAfter], variantCapacity?: number) {
  const { context } = ticketing;
  const limit = variantCapacity === undefined ? {} : { variantCapacity };
  const group = await createTicketGroupOnSale(context.db, { dailyCapacity, ...limit });
  const stream = await watchAvailability(context, { ticketGroupId: group.ticketGroupId, dates });
  const custId = await createGuest(context.db);
  return {
    group,
    next: async () => (await stream.next()).value,
    leave: () => stream.return?.(),
    order: (quantityBought: number) =>
      createOrder(context, {
        input: {
          ticketGroupId: group.ticketGroupId,
          custId,
          admitDate: day,
          buyerName: 'Siti',
          buyerEmail: 'siti@example.my',
          items: [{ itemId: group.itemId, quantityBought }],
        },
      }),
  };
}

describe('availabilityChanged', () => {
  it('yields by the clock alone the end of sales for today, and at midnight the changes of the new day', async () => {
    const { db } = ticketing.context;
    const { group, next, leave } = await follow(5, [today, dayAfterLast]);
    await db.ticketGroup.update({
      where: { ticketGroupId: BigInt(group.ticketGroupId) },
      data: { salesCutoff: '18:00', maxAdvanceDays: 10 },
    });
    try {
      timeIs(`${today}T17:59:57`);
      let told = await next();
      while (told.length < 2) told = [...told, ...(await next())];
      expect(told).toEqual([
        { date: today, status: 'AVAILABLE', remaining: 5 },
        { date: dayAfterLast, status: 'CLOSED', remaining: null },
      ]);
      expect(await next()).toEqual([{ date: today, status: 'CLOSED', remaining: null }]);

      timeIs(`${today}T23:59:59`);
      await touch(group.ticketGroupId);
      expect(await next()).toEqual([{ date: dayAfterLast, status: 'AVAILABLE', remaining: 5 }]);
    } finally {
      shift.ms = 0;
    }
    await leave();
  });

  it('sells a day out when each kind of admission has reached its own capacity, although the group has room', async () => {
    const { db, clock } = ticketing.context;
    const { group, order, next, leave } = await follow(100, [day], 2);
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 2 }]);

    await order(2);

    expect(await next()).toEqual([{ date: day, status: 'SOLD_OUT', remaining: 0 }]);
    const row = await db.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId: BigInt(group.ticketGroupId) } });
    expect(await readAvailability({ db, clock }, row, { from: day, to: dayAfter })).toEqual([
      { date: day, status: 'SOLD_OUT', remaining: 0 },
      { date: dayAfter, status: 'AVAILABLE', remaining: 2 },
    ]);
    await leave();
  });

  it('follows the kinds of admission: a day is closed while none of them is on sale', async () => {
    const { db } = ticketing.context;
    const { group, next, leave } = await follow(5, [day]);
    const where = { ticketGroupId: BigInt(group.ticketGroupId) };
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 5 }]);

    await db.ticketVariant.updateMany({ where, data: { isActive: false } });
    expect(await next()).toEqual([{ date: day, status: 'CLOSED', remaining: null }]);

    await db.ticketVariant.updateMany({ where, data: { isActive: true, dailyCapacity: 3 } });
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 3 }]);
    await leave();
  });

  it('ends at once when its ticket group is removed, or taken off sale', async () => {
    const { db } = ticketing.context;
    for (const end of [
      (ticketGroupId: bigint) => db.ticketGroup.update({ where: { ticketGroupId }, data: { isActive: false } }),
      (ticketGroupId: bigint) =>
        db.$transaction(async (tx) => {
          await tx.ticketVariant.deleteMany({ where: { ticketGroupId } });
          await tx.ticketGroup.delete({ where: { ticketGroupId } });
        }),
    ]) {
      const { group, next } = await follow(5);
      await next();
      const after = next();
      await end(BigInt(group.ticketGroupId));
      await expect(after).rejects.toMatchObject({ reason: 'TICKET_GROUP_NOT_FOUND' });
    }
  });

  it('yields the days, then each day that an order, a release or staff changes', async () => {
    const { db } = ticketing.context;
    const { group, next, order, leave } = await follow(5);
    const admitDate = dateColumn(day);
    const ticketGroupId = BigInt(group.ticketGroupId);

    expect(await next()).toEqual([
      { date: day, status: 'AVAILABLE', remaining: 5 },
      { date: dayAfter, status: 'AVAILABLE', remaining: 5 },
    ]);
    const { orderTicketGroupId } = await order(5);
    expect(await next()).toEqual([{ date: day, status: 'SOLD_OUT', remaining: 0 }]);

    await db.$transaction(async (tx) => {
      await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { transactionStatus: 'FAILED' } });
      await tx.$executeRaw`SELECT ticketing.release_capacity(${orderTicketGroupId})`;
    });
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 5 }]);

    const where = { ticketGroupId_admitDate: { ticketGroupId, admitDate } };
    await db.dailyCapacity.update({ where, data: { capacity: 3 } });
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 3 }]);

    await db.ticketGroup.update({ where: { ticketGroupId }, data: { closedWeekdays: [1, 2, 3, 4, 5, 6, 7] } });
    expect(await next()).toEqual([
      { date: day, status: 'CLOSED', remaining: null },
      { date: dayAfter, status: 'CLOSED', remaining: null },
    ]);
    await leave();
  });

  it('combines many changes, and ends with the true state', async () => {
    const { next, order, leave } = await follow(20, [day]);
    await next();
    await Promise.all(Array.from({ length: 15 }, () => order(1)));

    const told: (number | null)[] = [];
    while (told.at(-1) !== 5) told.push((await next())[0].remaining);
    expect(told.length).toBeLessThan(15);
    await leave();
  });

  it.each(['first', 'changed'] as const)(
    'is read once for all that ask together, and again for those that ask later: %s',
    async (which) => {
      const { db, clock } = ticketing.context;
      const { ticketGroupId } = await createTicketGroupOnSale(db, { dailyCapacity: 5 });
      let reads = 0;
      const counting = {
        ticketVariant: db.ticketVariant,
        ticketGroup: {
          findFirst(args: object) {
            reads += 1;
            return db.ticketGroup.findFirst(args);
          },
        },
      };
      const { [which]: readDays } = openDayReader({ db: counting as unknown as typeof db, clock });
      const remaining = async () => (await readDays(ticketGroupId, [day])).days[0]?.remaining;

      expect(await remaining()).toBe(5);
      await db.ticketGroup.update({ where: { ticketGroupId: BigInt(ticketGroupId) }, data: { dailyCapacity: 3 } });
      expect(await Promise.all(Array.from({ length: 5 }, remaining))).toEqual([3, 3, 3, 3, 3]);
      expect(reads).toBe(2);
    },
  );

  it('yields nothing while the visible state of a day stays the same', async () => {
    const { next, order, leave } = await follow(100, [day]);
    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: null }]);
    await order(1);
    for (let bought = 0; bought < 4; bought += 1) await order(20);

    expect(await next()).toEqual([{ date: day, status: 'AVAILABLE', remaining: 19 }]);
    await leave();
  });

  it.each([[[]], [['2026-02-30']], [Array.from({ length: 93 }, (_, index) => daysAfter(day, index))]])(
    'does not understand %j',
    async (dates) => {
      await expect(follow(5, dates)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
    },
  );

  it('refuses a group that is not on offer', async () => {
    const subscription = watchAvailability(ticketing.context, { ticketGroupId: '999999', dates: [day] });
    await expect(subscription).rejects.toMatchObject({ reason: 'TICKET_GROUP_NOT_FOUND' });
  });
});
