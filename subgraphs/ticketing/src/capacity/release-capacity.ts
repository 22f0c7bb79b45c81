import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

type Held = Pick<OrderTicketGroup, 'orderTicketGroupId'>;

/** Gives back what an order took of its day; the caller has just moved it out of a status that holds it. */
export async function releaseCapacity(tx: TicketingTransaction, { orderTicketGroupId }: Held): Promise<void> {
  await tx.$executeRaw`SELECT ticketing.release_capacity(${orderTicketGroupId})`;
}

/** @returns false when it no longer fits */
export async function retakeCapacity(tx: TicketingTransaction, { orderTicketGroupId }: Held): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    [{ fits: boolean }]
  >`SELECT ticketing.retake_capacity(${orderTicketGroupId}) AS fits`;
  return row.fits;
}
