import { expect } from 'vitest';

import type { Context } from '../context.ts';
import { createOrder } from '../checkout/create-order.ts';
import { acceptPaymentReturn } from '../payments/accept-payment-return.ts';
import { requeryPayment, runRequery } from '../settlement/requery-payment.ts';
import { startPayment } from '../payments/start-payment.ts';
import { nextWeek, createGuest, createTicketGroupOnSale, type Group } from './storefront-fixture.ts';

/** Simulates a buyer's browser and the bank. Leaves out what the browser shows. */
export function createBuyer(context: Context, bankUrl: string) {
  const { db, clock } = context;
  return {
    async orders({ quantity = 2, ...group }: Partial<Group> & { quantity?: number } = {}) {
      const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, ...group });
      const custId = await createGuest(db);
      const input = {
        ticketGroupId,
        custId,
        admitDate: nextWeek(),
        buyerName: 'Siti',
        buyerEmail: 'siti@example.my',
        items: [{ itemId, quantityBought: quantity }],
      };
      return { ...(await createOrder(context, { input })), input };
    },

    /** Posts the payment form to the bank. */
    async pays(orderNo: string, more: Partial<Parameters<typeof startPayment>[1]> = {}) {
      const { action, fields } = await startPayment(context, { orderNo, ...more });
      const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
      expect((await fetch(action, { method: 'POST', body })).status).toBe(200);
    },

    /** Decides the payment at the bank. Returns the payload that the browser would bring back. */
    async bank(orderNo: string, outcome: string): Promise<string> {
      const response = await fetch(`${bankUrl}/decide`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orderNo, outcome, repeat: 0 }),
      });
      const { redirect } = (await response.json()) as { redirect: string | null };
      return redirect ? (new URL(redirect).searchParams.get('payload') ?? '') : '';
    },

    returns: (payload: string) => acceptPaymentReturn(context, payload),

    order: (orderNo: string) =>
      db.orderTicketGroup.findUniqueOrThrow({
        where: { orderNo },
        include: {
          tickets: { orderBy: { ticketId: 'asc' } },
          deliveries: { orderBy: { deliveryId: 'asc' } },
          events: { orderBy: { paymentEventId: 'asc' } },
          logs: { orderBy: { orderTicketLogId: 'asc' } },
        },
      }),

    /** How many places of its day are reserved. */
    reserved: async ({ ticketGroupId }: { ticketGroupId: bigint }) =>
      (await db.dailyCapacity.findFirstOrThrow({ where: { ticketGroupId } })).reserved,

    /** Queries the bank, whatever the order's state. */
    asks: (order: { orderNo: string; billId: string }) => requeryPayment(context, order),

    /** Runs the job that queries the bank. */
    requery: ({ orderTicketGroupId }: { orderTicketGroupId: bigint }) =>
      runRequery(context, {
        orderTicketGroupId: String(orderTicketGroupId),
        round: 1,
        startedAt: clock.now().toISOString(),
      }),
  };
}
