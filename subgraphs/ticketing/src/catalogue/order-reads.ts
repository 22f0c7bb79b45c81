import type { Customer, Prisma } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { serialId, type Id } from '@foyer/shared/ids';

import { dateColumn, isDay } from '../units/calendar.ts';
import { inBatches } from '@foyer/shared/in-batches';

/** A ticket group as orders for one day need it. */
export type Offer = Prisma.TicketGroupGetPayload<{ include: { variants: true; dailyCapacities: true } }>;
type Needs = Pick<TicketingDatabase, 'ticketGroup' | 'ticketVariant' | 'dailyCapacity' | 'customer'>;

/** The reads of every order. On a busy day many orders need the same rows, and share one query. */
export interface OrderReads {
  /** Reads a group with the row of the day, if there is one; null when there is no such group. */
  offer(wanted: { ticketGroupId: string; admitDate: string }): Promise<Offer | null>;
  customer(custId: Id): Promise<Customer | null>;
}

export const openOrderReads = (db: Needs): OrderReads => ({
  offer: inBatches({
    keyOf: ({ ticketGroupId, admitDate }) => `${ticketGroupId}/${admitDate}`,
    most: Number.POSITIVE_INFINITY,
    async run(alike: readonly { ticketGroupId: string; admitDate: string }[]) {
      const [{ ticketGroupId, admitDate } = { ticketGroupId: '', admitDate: '' }] = alike;
      const offer = await readOffer(db, serialId(ticketGroupId), isDay(admitDate) ? dateColumn(admitDate) : null);
      return alike.map(() => offer);
    },
  }),
  customer: inBatches({
    keyOf: () => '',
    async run(custIds: readonly Id[]) {
      const customers = await db.customer.findMany({ where: { custId: { in: [...custIds] } } });
      const customerOf = new Map(customers.map((customer) => [customer.custId, customer]));
      return custIds.map((custId) => customerOf.get(custId) ?? null);
    },
  }),
});

/** Runs the queries at the same time; one after another they would take as long as writing the order. */
async function readOffer(db: Needs, id: bigint | null, admitDate: Date | null): Promise<Offer | null> {
  if (id === null) return null;
  const where = { ticketGroupId: id };
  const [group, variants, day] = await Promise.all([
    db.ticketGroup.findUnique({ where }),
    db.ticketVariant.findMany({ where }),
    admitDate && db.dailyCapacity.findUnique({ where: { ticketGroupId_admitDate: { ...where, admitDate } } }),
  ]);
  return group && { ...group, variants, dailyCapacities: day ? [day] : [] };
}
