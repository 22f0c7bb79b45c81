import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import { createOrder } from '../checkout/create-order.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek } from '../testing/storefront-fixture.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const names = { nameBm: 'Dewasa', nameEn: 'Adult', nameCn: '成人', variant: 'Adult' };

const offer = (organizationId: string, unitPriceSen: bigint) =>
  ticketing.context.db.ticketGroup.create({
    data: {
      organizationId,
      workspaceId: randomUUID(),
      slug: randomUUID(),
      dailyCapacity: 10,
      groupNameBm: 'Muzium',
      groupNameEn: 'Museum',
      groupNameCn: '博物馆',
      variants: { create: [{ ...names, itemId: 'ADULT', unitPriceSen, dailyCapacity: 5 }] },
    },
  });

it('two organizations may use the same item id; an order gets the variant of its own group', async () => {
  const [ours, theirs] = [await offer(randomUUID(), 10_00n), await offer(randomUUID(), 99_00n)];

  const [mine, other] = await Promise.all(
    [ours, theirs].map(({ ticketGroupId }) =>
      createOrder(ticketing.context, {
        input: {
          ticketGroupId: String(ticketGroupId),
          admitDate: nextWeek(),
          buyerName: 'Siti',
          buyerEmail: 'siti@example.my',
          items: [{ itemId: 'ADULT', quantityBought: 2 }],
        },
      }),
    ),
  );

  expect([mine?.totalAmountSen, other?.totalAmountSen]).toEqual([20_00n, 198_00n]);
  const held = await ticketing.context.db.variantDailyCapacity.findMany({
    include: { ticketVariant: true },
    orderBy: { ticketVariantId: 'asc' },
  });
  expect(held.map(({ reserved, ticketVariant }) => [reserved, ticketVariant.ticketGroupId])).toEqual([
    [2, ours.ticketGroupId],
    [2, theirs.ticketGroupId],
  ]);
});

it('one organization may use an item id once, and a variant belongs to the organization of its group', async () => {
  const organizationId = randomUUID();
  const { ticketGroupId } = await offer(organizationId, 10_00n);

  const again = await offer(organizationId, 12_00n).catch((error: unknown) => error);
  expect(isUniqueViolation(again)).toBe(true);
  await expect(
    ticketing.context.db.ticketVariant.create({
      data: { ...names, ticketGroupId, organizationId: randomUUID(), itemId: 'CHILD', unitPriceSen: 5_00n },
    }),
  ).rejects.toThrow(/[Ff]oreign key/);
});
