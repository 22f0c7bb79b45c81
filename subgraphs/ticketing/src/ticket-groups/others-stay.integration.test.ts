import { afterAll, beforeAll, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { staffWith } from '../testing/staff-with.ts';
import { createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { deleteTicketGroup } from './delete-ticket-group.ts';
import { updateTicketGroup } from './update-ticket-group.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

it('a ticket group is deleted with its own kinds and days, and those of others stay', async () => {
  const { context, bankUrl } = ticketing;
  const { db } = context;
  const sold = await createBuyer(context, bankUrl).orders({ variantCapacity: 5 });
  const { ticketGroupId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, variantCapacity: 5 });
  const where = { ticketGroupId: BigInt(ticketGroupId) };
  const { ticketVariantId } = await db.ticketVariant.findFirstOrThrow({ where });
  const day = { admitDate: sold.admitDate, capacity: 5 };
  await db.dailyCapacity.create({ data: { ...where, ...day } });
  await db.variantDailyCapacity.create({ data: { ticketVariantId, ...day } });

  await deleteTicketGroup(staffWith('catalogue:manage', context), ticketGroupId);

  expect(await db.ticketGroup.findMany()).toMatchObject([{ ticketGroupId: sold.ticketGroupId }]);
  expect(await db.dailyCapacity.findMany()).toMatchObject([{ ticketGroupId: sold.ticketGroupId, reserved: 2 }]);
  expect(await db.variantDailyCapacity.findMany()).toMatchObject([{ reserved: 2 }]);
});

it('a new capacity of a ticket group is that of its own days', async () => {
  const { context, bankUrl } = ticketing;
  const buyer = createBuyer(context, bankUrl);
  const [one, other] = [await buyer.orders({ dailyCapacity: 10 }), await buyer.orders({ dailyCapacity: 10 })];
  const names = { groupNameBm: 'Muzium', groupNameEn: 'Museum', groupNameCn: '博物馆' };
  const input = { ...names, slug: 'museum', placement: 1, dailyCapacity: 7 };
  const manager = staffWith('catalogue:manage', context);

  await updateTicketGroup(manager, { ticketGroupId: String(one.ticketGroupId), input });

  const capacityOf = async ({ ticketGroupId }: typeof one) =>
    (await context.db.dailyCapacity.findFirstOrThrow({ where: { ticketGroupId } })).capacity;
  expect([await capacityOf(one), await capacityOf(other)]).toEqual([7, 10]);
});
