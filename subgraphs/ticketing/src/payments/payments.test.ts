import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openScratchHouse, type ScratchHouse } from '../doubles/scratch-house.ts';
import { aDay, aGuest, aTicketGroup } from '../doubles/storefront.ts';
import { createOrder } from '../orders/create-order.ts';
import { watchOrder } from '../orders/watch-order.ts';
import { acceptPaymentReturn } from './accept-payment-return.ts';
import { expireOrders } from './expire-orders.ts';
import { generatePaymentToken } from './payment-token.ts';
import { runRequery } from './requery-payment.ts';
import { startPayment } from './start-payment.ts';

let house: ScratchHouse;
let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
beforeAll(async () => {
  house = await openScratchHouse({ clock });
}, 60_000);
afterAll(() => house.stop());

const never = new AbortController().signal;
const minutesPass = (minutes: number) => (later += minutes * 60_000);

async function anOrder({ dailyCapacity = 10, quantity = 2 } = {}) {
  const { ticketGroupId, itemId } = await aTicketGroup(house.context.db, { dailyCapacity });
  const custId = await aGuest(house.context.db);
  const input = {
    ticketGroupId,
    custId,
    admitDate: aDay(),
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [
      {
        itemId,
        quantityBought: quantity,
      },
    ],
  };
  return { ...(await createOrder(house.context, { input })), input };
}

/** As the buyer's browser does: posts the form that we made to the bank. */
async function pay(orderNo: string, input: Partial<Parameters<typeof startPayment>[1]> = {}) {
  const { action, fields } = await startPayment(house.context, { orderNo, ...input });
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
  const page = await fetch(action, { method: 'POST', body });
  expect(page.status).toBe(200);
}

/** What happens at the bank; the payload is what the browser would bring back. */
async function bank(orderNo: string, outcome: string): Promise<string> {
  const response = await fetch(`${house.bankUrl}/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderNo, outcome, repeat: 0 }),
  });
  const { redirect } = (await response.json()) as { redirect: string | null };
  return redirect ? (new URL(redirect).searchParams.get('payload') ?? '') : '';
}

const back = (payload: string) => acceptPaymentReturn(house.context, payload);
const read = (orderNo: string) =>
  house.context.db.orderTicketGroup.findUniqueOrThrow({
    where: { orderNo },
    include: { tickets: true, deliveries: true, events: true, logs: true },
  });
const reservedFor = async (order: { ticketGroupId: bigint }) =>
  (await house.context.db.dailyCapacity.findFirstOrThrow({ where: { ticketGroupId: order.ticketGroupId } })).reserved;
const requery = (order: { orderTicketGroupId: bigint }) =>
  runRequery(house.context, {
    orderTicketGroupId: String(order.orderTicketGroupId),
    round: 1,
    startedAt: clock.now().toISOString(),
  });

describe('a payment', () => {
  it('makes the order good: tickets, one mail, the bank reference', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);

    const { redirectPath } = await back(await bank(orderNo, 'approve'));

    expect(redirectPath).toBe(`/payment/success?orderNo=${orderNo}`);
    const order = await read(orderNo);
    expect(order).toMatchObject({ transactionStatus: 'SUCCESS', bankCurrentStatus: '00 Approved', reviewReason: null });
    expect(order.tickets).toHaveLength(2);
    expect(order.deliveries).toHaveLength(1);
    expect(order.gatewayTransactionId).toMatch(/^SIM-/);
  });

  it('counts once, though twenty copies of the news arrive at the same moment', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);
    const payload = await bank(orderNo, 'approve');

    const landings = await Promise.all(Array.from({ length: 20 }, () => back(payload)));

    expect(new Set(landings.map(({ redirectPath }) => redirectPath))).toEqual(
      new Set([`/payment/success?orderNo=${orderNo}`]),
    );
    const order = await read(orderNo);
    expect([order.tickets.length, order.deliveries.length, order.events.length]).toEqual([2, 1, 1]);
  });

  it('that is rejected gives the places back, once', async () => {
    const order = await anOrder();
    await pay(order.orderNo);
    const payload = await bank(order.orderNo, 'reject');

    const landings = await Promise.all([back(payload), back(payload)]);

    expect(landings[0].redirectPath).toBe(`/payment/failure?orderNo=${order.orderNo}`);
    expect((await read(order.orderNo)).transactionStatus).toBe('FAILED');
    expect(await reservedFor(order)).toBe(0);
  });

  it('of another amount makes nothing good, and calls for a person', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);

    const { redirectPath } = await back(await bank(orderNo, 'wrong-amount'));

    expect(redirectPath).toBe(`/payment/failure?orderNo=${orderNo}&code=REVIEW`);
    const order = await read(orderNo);
    expect(order).toMatchObject({ transactionStatus: 'PENDING', reviewReason: 'AMOUNT_MISMATCH' });
    expect(order.tickets).toEqual([]);
    expect(await house.context.db.notification.count({ where: { message: { contains: orderNo } } })).toBe(1);
  });

  it('that somebody tampered with touches no order', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);

    const { redirectPath } = await back(await bank(orderNo, 'tampered'));

    expect(redirectPath).toBe('/payment/failure?code=INVALID_PAYLOAD');
    expect((await read(orderNo)).events).toEqual([]);
  });

  it('that nobody told us of is found by asking', async () => {
    const order = await anOrder();
    await pay(order.orderNo);
    await bank(order.orderNo, 'timeout');

    await requery(order);

    expect((await read(order.orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('that the bank has not decided waits', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);

    const { redirectPath } = await back(await bank(orderNo, 'pending'));

    expect(redirectPath).toBe(`/payment/success?orderNo=${orderNo}&status=PENDING`);
    expect(await read(orderNo)).toMatchObject({
      transactionStatus: 'PENDING',
      bankCurrentStatus: '99 Pending authorisation',
    });
  });
});

describe('a payment form', () => {
  it('may be posted again by a buyer who went back', async () => {
    const { orderNo } = await anOrder();
    await pay(orderNo);
    await pay(orderNo);
    await back(await bank(orderNo, 'approve'));

    await expect(startPayment(house.context, { orderNo })).rejects.toMatchObject({ reason: 'ORDER_NOT_PAYABLE' });
  });

  it('is refused when it was edited', async () => {
    const { orderNo } = await anOrder();

    await expect(startPayment(house.context, { orderNo, totalAmount: 1 })).rejects.toMatchObject({
      reason: 'FORM_MISMATCH',
    });
    expect((await read(orderNo)).transactionStatus).toBe('INITIATED');
  });

  it('uses its random key up', async () => {
    const [one, two] = [await anOrder(), await anOrder()];
    const token = await generatePaymentToken(house.context);
    await pay(one.orderNo, { token });

    await expect(startPayment(house.context, { orderNo: two.orderNo, token })).rejects.toMatchObject({
      reason: 'PAYMENT_TOKEN_USED',
    });
    expect((await read(two.orderNo)).transactionStatus).toBe('INITIATED');
  });
});

describe('the subscription to an order', () => {
  it('tells how it is, tells each change, and ends when the order is settled', async () => {
    const { orderNo } = await anOrder();
    const changes = await watchOrder(house.context, { orderNo, email: 'SITI@example.my' });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const order of changes) seen.push(order.transactionStatus);
    })();

    await pay(orderNo);
    await sleep(50);
    await back(await bank(orderNo, 'approve'));
    await watching;

    expect(seen).toEqual(['INITIATED', 'PENDING', 'SUCCESS']);
  });

  it('is for the buyer only', async () => {
    const { orderNo } = await anOrder();

    await expect(watchOrder(house.context, { orderNo })).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(watchOrder(house.context, { orderNo, email: 'ali@example.my' })).rejects.toMatchObject({
      reason: 'ORDER_NOT_FOUND',
    });
  });
});

// These move the clock: each finds the orders of the others expired.
describe('an order whose time is over', () => {
  it('gives its places back when nobody paid', async () => {
    const order = await anOrder();
    minutesPass(16);

    await expireOrders(house.context, never);

    expect(await read(order.orderNo)).toMatchObject({ transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED' });
    expect(await reservedFor(order)).toBe(0);
  });

  it('is good when the bank, asked a last time, was paid', async () => {
    const order = await anOrder();
    await pay(order.orderNo);
    await bank(order.orderNo, 'timeout');
    minutesPass(31);

    await expireOrders(house.context, never);

    expect((await read(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await reservedFor(order)).toBe(2);
  });

  it('is either paid or expired when both happen at the same instant, and holds its places accordingly', async () => {
    const order = await anOrder();
    await pay(order.orderNo);
    minutesPass(31);
    const payload = await bank(order.orderNo, 'approve');

    await Promise.all([expireOrders(house.context, never), back(payload)]);

    expect((await read(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await reservedFor(order)).toBe(2);
  });

  it('becomes good again by a late payment while there are places', async () => {
    const order = await anOrder();
    await pay(order.orderNo);
    minutesPass(31);
    await expireOrders(house.context, never);

    await back(await bank(order.orderNo, 'approve'));

    const { transactionStatus, logs } = await read(order.orderNo);
    expect(transactionStatus).toBe('SUCCESS');
    expect(logs.map(({ title }) => title)).toContain('Late payment accepted');
    expect(await reservedFor(order)).toBe(2);
  });

  it('is owed the money when the late payment finds no place', async () => {
    const order = await anOrder({ dailyCapacity: 2 });
    await pay(order.orderNo);
    minutesPass(31);
    await expireOrders(house.context, never);
    await createOrder(house.context, { input: order.input });

    await back(await bank(order.orderNo, 'approve'));

    expect(await read(order.orderNo)).toMatchObject({
      transactionStatus: 'FAILED',
      reviewReason: 'REFUND_DUE',
      tickets: [],
    });
    expect(await reservedFor(order)).toBe(2);
  });
});

it('holds, for every day, exactly what its orders add up to', async () => {
  const wrong = await house.context.db.$queryRaw<unknown[]>`
    SELECT c.* FROM ticketing.daily_capacity c
    WHERE c.reserved <> (
      SELECT coalesce(sum(o.quantity), 0) FROM ticketing.order_ticket_group o
      WHERE o.ticket_group_id = c.ticket_group_id AND o.admit_date = c.admit_date AND o.transaction_status <> 'FAILED'
    )`;

  expect(wrong).toEqual([]);
});
