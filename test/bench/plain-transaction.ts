import { randomUUID } from 'node:crypto';

import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { Refusal } from '@foyer/shared/errors';

/** The unique names of an order. */
export const newNames = () => ({
  orderNo: `ORD-${randomUUID().toUpperCase()}`,
  billId: randomUUID(),
  transactionId: randomUUID(),
});

interface Input {
  ticketGroupId: string;
  admitDate: string;
  custId?: string | null | undefined;
  buyerName: string;
  buyerEmail: string;
  items: readonly { itemId: string; quantityBought: number }[];
}

/**
 * An order of one item as a reader of Prisma's manual writes it: it holds the row of the day from the first
 * statement to the commit.
 *
 * @throws {Refusal} `SOLD_OUT`
 */
export function plainly(db: TicketingDatabase, input: Input): Promise<OrderTicketGroup> {
  const [ticketGroupId, admitDate] = [BigInt(input.ticketGroupId), new Date(`${input.admitDate}T00:00:00Z`)];
  const where = { ticketGroupId_admitDate: { ticketGroupId, admitDate } };
  const { custId, buyerName, buyerEmail } = input;
  const [{ itemId, quantityBought: quantity } = { itemId: '', quantityBought: 0 }] = input.items;
  return db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM ticketing.daily_capacity
        WHERE ticket_group_id = ${ticketGroupId} AND admit_date = ${admitDate} FOR UPDATE`;
      const { capacity, reserved } = await tx.dailyCapacity.findUniqueOrThrow({ where });
      if (reserved + quantity > capacity) throw new Refusal('CONFLICT', 'SOLD_OUT', 'Sold out.');
      const group = await tx.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId } });
      const variant = await tx.ticketVariant.findFirstOrThrow({ where: { ticketGroupId, itemId } });
      const { unitPriceSen, ticketVariantId, nameBm, nameEn, nameCn } = variant;
      const order = await tx.orderTicketGroup.create({
        data: {
          ...newNames(),
          ticketGroupId,
          organizationId: group.organizationId,
          workspaceId: group.workspaceId,
          custId: custId ?? '',
          admitDate,
          langChosen: 'bm',
          productId: `TG${ticketGroupId}`,
          totalAmountSen: unitPriceSen * BigInt(quantity),
          quantity,
          buyerName,
          buyerEmail,
          items: {
            create: {
              ticketVariantId,
              itemId,
              itemDesc1: nameBm,
              itemDesc2: nameEn,
              itemDesc3: nameCn,
              variant: variant.variant,
              unitPriceSen,
              quantityBought: quantity,
              admitDate,
            },
          },
          logs: { create: { performedBy: buyerName, type: 'order', title: 'Order placed', message: '' } },
        },
      });
      await tx.dailyCapacity.update({ where, data: { reserved: { increment: quantity } } });
      return order;
    },
    { maxWait: 60_000, timeout: 60_000 },
  );
}
