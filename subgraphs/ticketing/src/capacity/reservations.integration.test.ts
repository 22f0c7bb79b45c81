import { newId } from '@foyer/shared/ids';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { daysAfter } from '../units/calendar.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek, createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { createFreeOrder, createOrder } from '../checkout/create-order.ts';
import { openReservations, type FreeOrders, type Placement } from './reservations.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const day = nextWeek();
const noFreeOrders: FreeOrders = { issue: () => Promise.resolve([]), enqueueMails: () => Promise.resolve() };

async function ordersOf(count: number, group: { dailyCapacity: number; variantCapacity?: number; quantity?: number }) {
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, group);
  const custId = await createGuest(ticketing.context.db);
  const input = {
    ticketGroupId,
    custId,
    admitDate: day,
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [
      {
        itemId,
        quantityBought: group.quantity ?? 1,
      },
    ],
  };
  const results = await Promise.allSettled(
    Array.from({ length: count }, () => createOrder(ticketing.context, { input })),
  );
  const placed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { reason?: string }).reason ?? String(result.reason)] : [],
  );
  const where = { ticketGroupId: BigInt(ticketGroupId) };
  const { reserved } = await ticketing.context.db.dailyCapacity.findFirstOrThrow({ where });
  return { placed, reasons, reserved, ticketGroupId, custId, input };
}

describe('the capacity of a day', () => {
  it('gives ten places to forty buyers who come at once: ten get one, thirty get SOLD_OUT', async () => {
    const { placed, reasons, reserved } = await ordersOf(40, { dailyCapacity: 10 });

    expect(placed).toHaveLength(10);
    expect(reasons).toEqual(Array.from({ length: 30 }, () => 'SOLD_OUT'));
    expect(reserved).toBe(10);
  });

  it('is reserved for its first order without reading what a variant has sold on other days', async () => {
    const { input } = await ordersOf(20, { dailyCapacity: 100, variantCapacity: 50 });
    const { context } = ticketing;

    const rowsRead = await context.db.$transaction(async (tx) => {
      const reservations = openReservations(Object.assign(tx, { $transaction: context.db.$transaction }), noFreeOrders);
      await createOrder({ ...context, reservations }, { input: { ...input, admitDate: daysAfter(day, 1) } });
      const [statistics] = await tx.$queryRaw<{ read: bigint }[]>`
        SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read AS read FROM pg_stat_xact_user_tables
        WHERE relid = 'ticketing.order_ticket_info'::regclass`;
      return statistics?.read;
    });

    expect(rowsRead).toBe(0n);
  });

  it('does not split an order: three places left are not enough for four', async () => {
    const { placed, reserved } = await ordersOf(5, { dailyCapacity: 11, quantity: 4 });

    expect(placed).toHaveLength(2);
    expect(reserved).toBe(8);
  });

  it('limits a variant with a smaller capacity of its own', async () => {
    const { placed, reserved } = await ordersOf(12, { dailyCapacity: 100, variantCapacity: 5 });

    expect(placed).toHaveLength(5);
    expect(reserved).toBe(5);
  });

  it('is the sum of the orders of the day', async () => {
    const { ticketGroupId, reserved } = await ordersOf(7, { dailyCapacity: 50, quantity: 2 });

    const { _sum } = await ticketing.context.db.orderTicketInfo.aggregate({
      where: { order: { ticketGroupId: BigInt(ticketGroupId) } },
      _sum: { quantityBought: true },
    });

    expect(_sum.quantityBought).toBe(reserved);
  });
});

describe('the first order of a day', () => {
  it.each(['the group', 'the kind of ticket'])(
    'uses the capacity that %s is being given at that moment',
    async (what) => {
      const { db } = ticketing.context;
      const offer = await createTicketGroupOnSale(db, { dailyCapacity: 100, variantCapacity: 100 });
      const input = { ...(await ordersOf(1, { dailyCapacity: 1 })).input, ticketGroupId: offer.ticketGroupId };
      const items = [{ itemId: offer.itemId, quantityBought: 3 }];
      const where = { ticketGroupId: BigInt(offer.ticketGroupId) };
      let settled = false;

      const ordered = await db.$transaction(
        async (tx) => {
          const data = { dailyCapacity: 2 };
          await (what === 'the group'
            ? tx.ticketGroup.update({ where, data })
            : tx.ticketVariant.updateMany({ where, data }));
          const ordering = createOrder(ticketing.context, { input: { ...input, items } })
            .then(
              () => 'placed',
              ({ reason }: { reason: string }) => reason,
            )
            .finally(() => (settled = true));
          await vi.waitFor(
            async () => {
              // Queried outside: a transaction sees no connection that was opened after its first look.
              const waiting = await ticketing.context.db.$queryRaw<
                unknown[]
              >`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
              expect(settled || waiting.length > 0).toBe(true);
            },
            { timeout: 20_000 },
          );
          return { ordering };
        },
        { timeout: 30_000 },
      );

      expect(await ordered.ordering).toBe('SOLD_OUT');
    },
  );
});

describe('the orders of one buyer that are not paid', () => {
  it('never exceed the limit, however many come at once and for whatever days; a repeat still finds its order', async () => {
    const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, { dailyCapacity: 100 });
    const custId = await createGuest(ticketing.context.db);
    const limited = { ...ticketing.context, settings: { ...ticketing.context.settings, openOrdersPerBuyer: 5 } };
    const order = (admitDate: string, idempotencyKey?: string) =>
      createOrder(limited, {
        input: {
          ticketGroupId,
          custId,
          admitDate,
          buyerName: 'Siti',
          buyerEmail: 'siti@example.my',
          items: [{ itemId, quantityBought: 1 }],
        },
        idempotencyKey,
      });
    const first = await order(day, 'once');

    const ordering = Array.from({ length: 24 }, (_, index) => order(daysAfter(day, (index % 4) + 1)));
    const results = await Promise.allSettled(ordering);

    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.reason] : []));
    expect(reasons).toEqual(Array.from({ length: 20 }, () => 'TOO_MANY_OPEN_ORDERS'));
    expect(await ticketing.context.db.orderTicketGroup.count({ where: { custId } })).toBe(5);
    expect((await order(day, 'once')).orderNo).toBe(first.orderNo);

    await ticketing.context.db.orderTicketGroup.updateMany({
      where: { custId },
      data: { transactionStatus: 'FAILED' },
    });
    await expect(order(day)).resolves.toMatchObject({ transactionStatus: 'INITIATED' });
  });
});

describe('orders that are placed together', () => {
  async function drawnUp(count: number) {
    const { input } = await ordersOf(1, { dailyCapacity: 10 });
    const drawn: Placement[] = [];
    const reservations = {
      place: async (placement: Placement) => {
        drawn.push(placement);
        return { result: 'SOLD_OUT' as const, order: null };
      },
    };
    for (let order = 0; order < count; order++) {
      await createOrder({ ...ticketing.context, reservations }, { input }).catch(() => undefined);
    }
    return { drawn, where: { ticketGroupId: BigInt(input.ticketGroupId) } };
  }

  it('succeed although the database refuses one of them', async () => {
    const { drawn, where } = await drawnUp(5);

    const placed = await Promise.allSettled(
      drawn.map((placement, at) =>
        ticketing.context.reservations.place(at === 2 ? { ...placement, custId: newId() } : placement),
      ),
    );

    expect(placed.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await ticketing.context.db.orderTicketGroup.count({ where })).toBe(5);
    expect((await ticketing.context.db.dailyCapacity.findFirstOrThrow({ where })).reserved).toBe(5);
  });

  it('succeed one by one when the database undoes them for another transaction', async () => {
    const { drawn, where } = await drawnUp(3);
    const { db, reservations } = ticketing.context;
    await db.$executeRaw`
      CREATE FUNCTION ticketing.deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM placed) > 1 THEN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF;
        RETURN NULL;
      END $$`;
    await db.$executeRaw`
      CREATE TRIGGER deadlock AFTER INSERT ON ticketing.order_ticket_group REFERENCING NEW TABLE AS placed
        FOR EACH STATEMENT EXECUTE FUNCTION ticketing.deadlock()`;

    const placed = await Promise.allSettled(drawn.map((placement) => reservations.place(placement)));
    await db.$executeRaw`DROP FUNCTION ticketing.deadlock CASCADE`;

    expect(placed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect((await db.dailyCapacity.findFirstOrThrow({ where })).reserved).toBe(4);
  });
});

describe('a name', () => {
  it.each(['\ud800', 'Si\udc00ti', 'Siti\0', 'Siti\nBcc: all@example.my'])(
    'that is not valid text is refused: %j',
    async (buyerName) => {
      const { input } = await ordersOf(1, { dailyCapacity: 10 });

      await expect(createOrder(ticketing.context, { input: { ...input, buyerName } })).rejects.toMatchObject({
        reason: 'VALIDATION_FAILED',
      });
    },
  );

  it.each(['\u202eitis', '😀', "Siti'); DROP TABLE--", '{{7*7}}'])('that is odd is a name: %j', async (buyerName) => {
    const { input } = await ordersOf(1, { dailyCapacity: 10 });

    expect((await createOrder(ticketing.context, { input: { ...input, buyerName } })).buyerName).toBe(buyerName);
  });
});

describe('the order in the answer', () => {
  it('is the order as it was stored', async () => {
    const { db } = ticketing.context;
    const { input } = await ordersOf(1, { dailyCapacity: 10 });

    const { seenBy: _buyer, ...order } = await createOrder(ticketing.context, { input, idempotencyKey: 'as-answered' });

    const { orderTicketGroupId } = order;
    expect(order).toEqual(await db.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } }));
  });
});

describe('a free order', () => {
  it('is FREE at once, with its tickets, and its mail enqueued', async () => {
    const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, {
      dailyCapacity: 10,
      unitPriceSen: 0n,
    });
    const custId = await createGuest(ticketing.context.db);

    const order = await createFreeOrder(ticketing.context, {
      input: {
        ticketGroupId,
        custId,
        admitDate: day,
        buyerName: 'Siti',
        buyerEmail: 'siti@example.my',
        items: [
          {
            itemId,
            quantityBought: 3,
          },
        ],
      },
    });

    expect(order.transactionStatus).toBe('FREE');
    const where = { orderTicketGroupId: order.orderTicketGroupId };
    expect(await ticketing.context.db.ticket.count({ where })).toBe(3);
    expect(await ticketing.context.db.delivery.count({ where })).toBe(1);
  });

  it('is refused when it would cost something', async () => {
    const { input } = await ordersOf(1, { dailyCapacity: 10 });

    await expect(createFreeOrder(ticketing.context, { input })).rejects.toMatchObject({ reason: 'NOT_FREE' });
  });
});
