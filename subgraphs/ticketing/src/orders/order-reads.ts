import type { Customer, Prisma } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';

import { dateColumn, isDay } from '../calendar.ts';
import { inBatches } from '../in-batches.ts';
import { recordId } from '../record-id.ts';

/** A ticket group as orders for one day need it. */
type Offer = Prisma.TicketGroupGetPayload<{ include: { variants: true; dailyCapacities: true } }>;

/** What every order has to look up. On a hot day many want the same: they get it together. */
export interface OrderReads {
  /** With what is kept of the day, if anything; null for a group that there is not. */
  offer(wanted: { ticketGroupId: string; admitDate: string }): Promise<Offer | null>;
  customer(custId: string): Promise<Customer | null>;
}

export const openOrderReads = (db: Pick<TicketingDatabase, 'ticketGroup' | 'customer'>): OrderReads => ({
  offer: inBatches({
    keyOf: ({ ticketGroupId, admitDate }) => `${ticketGroupId}/${admitDate}`,
    most: Number.POSITIVE_INFINITY,
    async run(alike: readonly { ticketGroupId: string; admitDate: string }[]) {
      const [{ ticketGroupId, admitDate } = { ticketGroupId: '', admitDate: '' }] = alike;
      const id = recordId(ticketGroupId);
      const day = isDay(admitDate) ? { where: { admitDate: dateColumn(admitDate) } } : { take: 0 };
      const include = { variants: true, dailyCapacities: day };
      const offer = id && (await db.ticketGroup.findUnique({ where: { ticketGroupId: id }, include }));
      return alike.map(() => offer || null);
    },
  }),
  customer: inBatches({
    keyOf: () => '',
    async run(custIds: readonly string[]) {
      const customers = await db.customer.findMany({ where: { custId: { in: [...custIds] } } });
      const customerOf = new Map(customers.map((customer) => [customer.custId, customer]));
      return custIds.map((custId) => customerOf.get(custId) ?? null);
    },
  }),
});
