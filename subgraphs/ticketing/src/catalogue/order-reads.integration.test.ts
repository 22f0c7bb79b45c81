import { randomUUID } from 'node:crypto';

import { newId, readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { createGuest, createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';
import { dateColumn } from '../units/calendar.ts';
import { openOrderReads, type OfferedGroup, type OfferedVariant } from './order-reads.ts';

const OF_GROUP = {
  ticketGroupId: true,
  organizationId: true,
  workspaceId: true,
  groupNameEn: true,
  isActive: true,
  activeStartDate: true,
  activeEndDate: true,
  closedWeekdays: true,
  salesCutoff: true,
  maxAdvanceDays: true,
  dailyCapacity: true,
  orderTicketLimit: true,
} satisfies Record<keyof OfferedGroup, true>;
const OF_VARIANT = {
  ticketVariantId: true,
  itemId: true,
  variant: true,
  nameBm: true,
  nameEn: true,
  nameCn: true,
  unitPriceSen: true,
} satisfies Record<Exclude<keyof OfferedVariant, 'left'>, true>;

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
});
afterAll(() => ticketing.stop());

describe('the reads of orders', () => {
  it('give what the models give: the group, its variants on sale, and the day', async () => {
    const { db } = ticketing.context;
    const reads = openOrderReads(db);
    const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, unitPriceSen: 12_50n });
    const where = { ticketGroupId: BigInt(ticketGroupId) };
    const admitDate = nextWeek();
    await db.ticketGroup.update({
      where,
      data: {
        activeStartDate: dateColumn('2026-01-31'),
        activeEndDate: dateColumn(admitDate),
        closedWeekdays: [1, 7],
        salesCutoff: '17:30',
      },
    });
    const variant = await db.ticketVariant.findFirstOrThrow({ where });
    const { ticketVariantId: _id, ...same } = variant;
    await db.ticketVariant.create({
      data: { ...same, itemId: randomUUID(), nameCn: '成人', unitPriceSen: 2n ** 53n + 1n },
    });
    await db.ticketVariant.create({ data: { ...same, itemId: randomUUID(), isActive: false } });

    const before = await reads.offer({ ticketGroupId, admitDate });
    await db.dailyCapacity.create({ data: { ...where, admitDate: dateColumn(admitDate), capacity: 7, reserved: 3 } });
    const after = await reads.offer({ ticketGroupId, admitDate });
    const withoutDay = await reads.offer({ ticketGroupId, admitDate: 'tomorrow' });

    expect(before?.group).toMatchObject(await db.ticketGroup.findUniqueOrThrow({ where, select: OF_GROUP }));
    expect(after?.variants.map(({ itemId: id }) => id)).toContain(itemId);
    for (const each of after?.variants ?? []) {
      const { ticketVariantId } = each;
      const stored = await db.ticketVariant.findUniqueOrThrow({ where: { ticketVariantId }, select: OF_VARIANT });
      expect(each).toMatchObject(stored);
    }
    expect(after?.variants).toHaveLength(2);
    expect(before?.day).toBeNull();
    expect(after?.day).toMatchObject({ capacity: 7, reserved: 3, closed: false });
    expect(withoutDay).toMatchObject({ group: before?.group, day: null });
  });

  it('give what is left of each variant on the day, where it has a capacity of its own', async () => {
    const { db } = ticketing.context;
    const reads = openOrderReads(db);
    const admitDate = nextWeek();
    const { ticketGroupId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, variantCapacity: 4 });
    const unlimited = await createTicketGroupOnSale(db, { dailyCapacity: 10 });
    const { ticketVariantId } = await db.ticketVariant.findFirstOrThrow({
      where: { ticketGroupId: BigInt(ticketGroupId) },
    });
    const leftOf = async (wanted: { ticketGroupId: string }) =>
      (await reads.offer({ ticketGroupId: wanted.ticketGroupId, admitDate }))?.variants.map(({ left }) => left);

    expect([await leftOf({ ticketGroupId }), await leftOf(unlimited)]).toEqual([[4], [null]]);
    const day = { ticketVariantId, admitDate: dateColumn(admitDate) };
    await db.variantDailyCapacity.create({ data: { ...day, capacity: 5, reserved: 5 } });
    expect(await leftOf({ ticketGroupId })).toEqual([0]);
  });

  it('find no group that is not there, and none by a number that is none', async () => {
    const reads = openOrderReads(ticketing.context.db);

    expect(await reads.offer({ ticketGroupId: '999999999', admitDate: nextWeek() })).toBeNull();
    expect(await reads.offer({ ticketGroupId: 'x', admitDate: nextWeek() })).toBeNull();
  });

  it('find each customer who is asked for, and null for the others', async () => {
    const { db } = ticketing.context;
    const reads = openOrderReads(db);
    const [known, disabled] = [await createGuest(db), await createGuest(db)];
    await db.customer.update({ where: { custId: disabled }, data: { isDisabled: true } });

    const found = await Promise.all([known, newId(), disabled, known].map((custId) => reads.customer(readId(custId))));

    expect(found).toEqual([
      { custId: known, hasLogin: false, isDisabled: false },
      null,
      { custId: disabled, hasLogin: false, isDisabled: true },
      { custId: known, hasLogin: false, isDisabled: false },
    ]);
  });
});
