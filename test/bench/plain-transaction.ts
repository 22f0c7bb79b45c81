import { randomUUID } from 'node:crypto';

import type { PrismaClient } from '@foyer/prisma/client';

/** The names of an order that nobody else has. */
export const newNames = () => ({
  orderNo: `ORD-${randomUUID().toUpperCase()}`,
  billId: randomUUID(),
  transactionId: randomUUID(),
});

/** What a reader of Prisma's manual writes: it holds the row of the day from the first statement to the commit. */
export function plainly(
  db: PrismaClient,
  sale: { ticketGroupId: string; admitDate: string },
  unitPriceSen: bigint,
): (custId: string) => Promise<'placed' | 'sold out'> {
  const [ticketGroupId, admitDate] = [BigInt(sale.ticketGroupId), new Date(`${sale.admitDate}T00:00:00Z`)];
  const where = { ticketGroupId_admitDate: { ticketGroupId, admitDate } };
  return (custId) =>
    db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM ticketing.daily_capacity
          WHERE ticket_group_id = ${ticketGroupId} AND admit_date = ${admitDate} FOR UPDATE`;
        const { capacity, reserved } = await tx.dailyCapacity.findUniqueOrThrow({ where });
        if (reserved + 1 > capacity) return 'sold out';
        const group = await tx.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId }, include: { variants: true } });
        const [variant] = group.variants;
        if (!variant) throw new Error('nothing to sell');
        await tx.orderTicketGroup.create({
          data: {
            ...newNames(),
            ticketGroupId,
            organizationId: group.organizationId,
            workspaceId: group.workspaceId,
            custId,
            admitDate,
            langChosen: 'bm',
            productId: `TG${ticketGroupId}`,
            totalAmountSen: unitPriceSen,
            quantity: 1,
            buyerName: 'Siti Aminah',
            buyerEmail: 'siti@example.my',
            items: {
              create: {
                ticketVariantId: variant.ticketVariantId,
                itemId: variant.itemId,
                itemDesc1: variant.nameBm,
                itemDesc2: variant.nameEn,
                itemDesc3: variant.nameCn,
                variant: variant.variant,
                unitPriceSen,
                quantityBought: 1,
                admitDate,
              },
            },
            logs: { create: { performedBy: 'Siti Aminah', type: 'order', title: 'Order placed', message: '' } },
          },
        });
        await tx.dailyCapacity.update({ where, data: { reserved: { increment: 1 } } });
        return 'placed';
      },
      { maxWait: 60_000, timeout: 60_000 },
    );
}
