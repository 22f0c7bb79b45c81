import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { staffWith } from '../testing/staff-with.ts';
import { createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';
import { daysAfter } from '../units/calendar.ts';
import { setDailyCapacities } from './set-daily-capacities.ts';

let ticketing: ScratchTicketing;
let staff: Context;

beforeAll(async () => {
  ticketing = await openScratchTicketing();
  staff = staffWith('catalogue:manage', ticketing.context);
}, 60_000);
afterAll(() => ticketing.stop());

/** A day of which more was sold than the group has on other days, and the day after, which is as usual. */
async function dayOfMany() {
  const { context, bankUrl } = ticketing;
  const { ticketGroupId, input } = await createBuyer(context, bankUrl).orders({ dailyCapacity: 10, quantity: 8 });
  const [from, to] = [input.admitDate, daysAfter(input.admitDate, 1)];
  const set = (given: object) =>
    setDailyCapacities(staff, { ticketGroupId: String(ticketGroupId), from, to, input: given });
  await set({ capacity: 9 });
  await context.db.ticketGroup.update({ where: { ticketGroupId }, data: { dailyCapacity: 5 } });
  return set;
}

describe('a day that is closed', () => {
  it('keeps its capacity, also when more was sold than the default of its group', async () => {
    const set = await dayOfMany();

    expect(await set({ closed: true })).toMatchObject([
      { capacity: 9, reserved: 8, closed: true, overridden: true },
      { capacity: 9, reserved: 0, closed: true, overridden: true },
    ]);
  });

  it('takes a capacity that is given, if it is not less than was sold', async () => {
    const set = await dayOfMany();

    await expect(set({ closed: true, capacity: 7 })).rejects.toMatchObject({ reason: 'CAPACITY_BELOW_RESERVED' });
    expect(await set({ closed: true, capacity: 8 })).toMatchObject([{ capacity: 8, closed: true }, { capacity: 8 }]);
  });

  it('gets the default of its group when it is opened without a capacity', async () => {
    const set = await dayOfMany();
    await set({ closed: true });

    await expect(set({ closed: false })).rejects.toMatchObject({ reason: 'CAPACITY_BELOW_RESERVED' });
    expect(await set({ closed: false, capacity: 8 })).toMatchObject([{ closed: false, overridden: true }, {}]);
  });
});

describe('days that get the default of their group again', () => {
  it.each([
    ['is being given at that moment', { dailyCapacity: 70 }, [{ capacity: 70, overridden: false }]],
    ['loses at that moment, because it is deleted', null, { reason: 'TICKET_GROUP_NOT_FOUND' }],
  ])('get the one that the group %s', async (_what, data, expected) => {
    const { db } = ticketing.context;
    const { ticketGroupId: id } = await createTicketGroupOnSale(db, { dailyCapacity: 50 });
    const where = { ticketGroupId: BigInt(id) };
    const [from, to] = [nextWeek(), nextWeek()];
    let isOver = false;

    const { setting } = await db.$transaction(
      async (tx) => {
        if (data) await tx.ticketGroup.update({ where, data });
        else {
          await tx.ticketVariant.deleteMany({ where });
          await tx.ticketGroup.delete({ where });
        }
        const set = setDailyCapacities(staff, { ticketGroupId: id, from, to, input: {} })
          .catch((refused: unknown) => refused)
          .finally(() => (isOver = true));
        await waitsForALock(db, 1, () => isOver);
        return { setting: set };
      },
      { timeout: 30_000 },
    );

    expect(await setting).toMatchObject(expected);
  });
});
