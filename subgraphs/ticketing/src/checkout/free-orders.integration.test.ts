import { setTimeout as sleep } from 'node:timers/promises';

import { databaseBusy } from '@foyer/shared/database-errors';
import { Refusal } from '@foyer/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openReservations } from '../capacity/reservations.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { createGuest, createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';
import { confirmFreeOrders } from './confirm-free-orders.ts';
import { createFreeOrder } from './create-order.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

async function aFreeDay(dailyCapacity: number) {
  const { db } = ticketing.context;
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity, unitPriceSen: 0n });
  const where = { ticketGroupId: BigInt(ticketGroupId) };
  const input = {
    ticketGroupId,
    custId: await createGuest(db),
    admitDate: nextWeek(),
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [{ itemId, quantityBought: 1 }],
  };
  return {
    input,
    /** All that orders of this day have left behind. */
    async books() {
      const { organizationId } = await db.ticketGroup.findFirstOrThrow({ where });
      const mails = await db.delivery.findMany({ where: { order: where } });
      const [jobs] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int FROM pgboss.job
        WHERE name = 'ticketing.send-confirmation'
          AND data->>'deliveryId' IN (SELECT unnest(${mails.map(({ deliveryId }) => String(deliveryId))}::text[]))`;
      return {
        reserved: (await db.dailyCapacity.findFirst({ where }))?.reserved ?? 0,
        orders: await db.orderTicketGroup.count({ where }),
        free: await db.orderTicketGroup.count({ where: { ...where, transactionStatus: 'FREE' } }),
        tickets: await db.ticket.count({ where }),
        mails: mails.length,
        jobs: jobs.count,
        notifications: await db.notification.count({ where: { organizationId } }),
      };
    },
  };
}

const ofEach = (count: number) => ({
  reserved: count,
  orders: count,
  free: count,
  tickets: count,
  mails: count,
  jobs: count,
  notifications: count,
});

/** Orders until it is answered with something else than 503, as clients do. */
async function insist(attempt: () => Promise<unknown>): Promise<string> {
  for (;;) {
    try {
      await attempt();
      return 'placed';
    } catch (error) {
      const refusal = error instanceof Refusal ? error : databaseBusy(error);
      if (!refusal) throw error;
      if (refusal.code !== 'UPSTREAM_UNAVAILABLE') return refusal.reason;
      await sleep(100);
    }
  }
}

describe('free orders in a rush', { timeout: 120_000 }, () => {
  it('are placed and confirmed in one step: 260 buyers of 200 places get 200 tickets, and no place is held', async () => {
    const { input, books } = await aFreeDay(200);

    const answers = await Promise.all(
      Array.from({ length: 260 }, () => insist(() => createFreeOrder(ticketing.context, { input }))),
    );

    expect(answers.filter((answer) => answer === 'placed')).toHaveLength(200);
    expect(answers.filter((answer) => answer === 'SOLD_OUT')).toHaveLength(60);
    expect(await books()).toEqual(ofEach(200));
  });

  it('leave nothing behind when they are not confirmed, and the next attempt does all of it', async () => {
    const { input, books } = await aFreeDay(10);
    const { context } = ticketing;
    let isAway = true;
    const jobs: typeof context.jobs = {
      ...context.jobs,
      enqueueAll: (...args) =>
        isAway
          ? Promise.reject(new Error('timeout exceeded when trying to connect'))
          : context.jobs.enqueueAll(...args),
    };
    const reservations = openReservations(context.db, confirmFreeOrders({ ...context, jobs }));
    const attempt = () => createFreeOrder({ ...context, reservations }, { input, idempotencyKey: 'once' });

    const errors = await Promise.all(Array.from({ length: 3 }, () => attempt().catch((error: unknown) => error)));

    expect(errors.map((error) => databaseBusy(error)?.extensions)).toEqual(
      Array.from({ length: 3 }, () => ({ code: 'UPSTREAM_UNAVAILABLE', reason: 'DATABASE_BUSY', retryAfter: 1 })),
    );
    expect(await books()).toEqual(ofEach(0));
    isAway = false;
    const orders = await Promise.all([attempt(), attempt(), attempt()]);
    expect(new Set(orders.map(({ orderNo }) => orderNo)).size).toBe(1);
    expect(orders.map(({ transactionStatus }) => transactionStatus)).toEqual(['FREE', 'FREE', 'FREE']);
    expect(await books()).toEqual(ofEach(1));
  });

  it('are answered as they are stored', async () => {
    const { input } = await aFreeDay(10);

    const { seenBy: _buyer, ...order } = await createFreeOrder(ticketing.context, { input });

    const { orderTicketGroupId } = order;
    expect(order).toEqual(
      await ticketing.context.db.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } }),
    );
  });

  it('do not count as open orders of a buyer', async () => {
    const { input, books } = await aFreeDay(10);
    const settings = { ...ticketing.context.settings, openOrdersPerBuyer: 1, openOrdersPerAddress: 1 };

    await Promise.all(Array.from({ length: 4 }, () => createFreeOrder({ ...ticketing.context, settings }, { input })));

    expect(await books()).toEqual(ofEach(4));
  });

  it('have a signed ticket for each admission, and a code for the line', async () => {
    const { input } = await aFreeDay(10);
    const { db, ticketSigner } = ticketing.context;
    const ticketGroupId = BigInt(input.ticketGroupId);
    const about = { ticketGroupId, admitDate: new Date(`${input.admitDate}T00:00:00Z`) };
    const items = input.items.map((item) => ({ ...item, quantityBought: 3 }));

    const { orderTicketGroupId } = await createFreeOrder(ticketing.context, { input: { ...input, items } });

    const where = { orderTicketGroupId };
    const [line] = await db.orderTicketInfo.findMany({ where });
    const tickets = await db.ticket.findMany({ where, orderBy: { serial: 'asc' } });
    const id = line?.orderTicketInfoId;
    expect(ticketSigner.read(line?.encryptedId ?? '')).toEqual({ kind: 'line', id, serial: 3, ...about });
    expect(tickets.map(({ code }) => ticketSigner.read(code))).toEqual(
      tickets.map(({ ticketId }, index) => ({ kind: 'admission', id: ticketId, serial: index + 1, ...about })),
    );
    expect(tickets.map(({ orderTicketInfoId }) => orderTicketInfoId)).toEqual([id, id, id]);
    expect((await db.orderTicketLog.findMany({ where })).map(({ title }) => title).toSorted()).toEqual([
      'Free order confirmed',
      'Order placed',
    ]);
  });

  it('are left to a process of an earlier version, which confirms them after it has placed them', async () => {
    const { input, books } = await aFreeDay(10);
    const { context } = ticketing;
    const reservations: typeof context.reservations = {
      async place({ stamp: _unknown, ...placement }) {
        await context.db.$queryRaw`
          SELECT order_no, result, order_ticket_group_id
          FROM ticketing.place_orders(ARRAY[${JSON.stringify(placement)}::jsonb])`;
        return { result: 'SOLD_OUT', order: null };
      },
    };

    await createFreeOrder({ ...context, reservations }, { input }).catch((error: unknown) => error);

    expect(await books()).toEqual({ ...ofEach(0), reserved: 1, orders: 1 });
  });
});
