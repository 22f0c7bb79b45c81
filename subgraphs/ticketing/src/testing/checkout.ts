import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { Clock } from '@foyer/shared/clock';

import { createOrder } from '../checkout/create-order.ts';
import type { CreateOrderInput } from '../checkout/order-input.ts';
import { openOrderReads } from '../catalogue/order-reads.ts';
import { openReservations, type Placement } from '../capacity/reservations.ts';

/** Places orders without a server, for benchmarks. Leaves out mail, payment and tickets. */
export function openCheckout({ db, clock }: { db: TicketingDatabase; clock: Clock }) {
  const needs = {
    db,
    clock,
    viewer: null,
    client: { address: '', userAgent: '' },
    orderReads: openOrderReads(db),
    settings: { holdMinutes: 15, openOrdersPerBuyer: null, openOrdersPerAddress: null },
  };
  const needTickets = () => Promise.reject(new Error('free orders need tickets and mail'));
  const reservations = openReservations(db, { issue: needTickets, enqueueMails: needTickets });
  return {
    createOrder: (input: CreateOrderInput, idempotencyKey?: string) =>
      createOrder({ ...needs, reservations }, { input, idempotencyKey }),

    /** Returns the order that would be placed, without placing it. */
    async drawUp(input: CreateOrderInput): Promise<Placement> {
      let drawn: Placement | undefined;
      const place = async (placement: Placement) => {
        drawn = placement;
        return { result: 'SOLD_OUT', order: null } as const;
      };
      await createOrder({ ...needs, reservations: { place } }, { input }).catch((error: unknown) => {
        if (!drawn) throw error;
      });
      return drawn as unknown as Placement;
    },
  };
}
