import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { endOf, startOf } from '../units/calendar.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { paymentGateway } from '../adapters/payment-gateway.ts';
import { createOrder } from '../checkout/create-order.ts';
import { expireOrders } from './expire-orders.ts';

let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
/** Each test begins after the orders of the earlier tests have expired. */
const minutesPass = (minutes: number) => (later += minutes * 60_000);
const never = new AbortController().signal;

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock });
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

/** An order that was paid after it expired and somebody else had taken its places. */
async function paidTooLate(group: { dailyCapacity?: number; variantCapacity?: number } = { dailyCapacity: 2 }) {
  const order = await buyer.orders(group);
  await buyer.pays(order.orderNo);
  minutesPass(31);
  await expireOrders(ticketing.context, never);
  await createOrder(ticketing.context, { input: order.input });
  await buyer.returns(await buyer.bank(order.orderNo, 'approve'));
  return order;
}

describe('an order whose hold has expired', () => {
  it('releases its places when nobody paid', async () => {
    const order = await buyer.orders();
    minutesPass(16);

    await expireOrders(ticketing.context, never);

    expect(await buyer.order(order.orderNo)).toMatchObject({
      transactionStatus: 'FAILED',
      bankCurrentStatus: 'EXPIRED',
    });
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('succeeds when the bank, queried a last time, was paid', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await buyer.bank(order.orderNo, 'timeout');
    minutesPass(31);

    await expireOrders(ticketing.context, never);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is either paid or expired when both happen at the same moment, and holds its places accordingly', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    const payload = await buyer.bank(order.orderNo, 'approve');

    await Promise.all([expireOrders(ticketing.context, never), buyer.returns(payload)]);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('succeeds by a late payment while there are places', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    await expireOrders(ticketing.context, never);

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    const { transactionStatus, logs } = await buyer.order(order.orderNo);
    expect(transactionStatus).toBe('SUCCESS');
    expect(logs.map(({ title }) => title)).toContain('Late payment accepted');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it.each([
    ['on its day', { dailyCapacity: 2 }],
    ['for its kind of admission', { variantCapacity: 2 }],
  ])('gets a refund when the late payment finds no place %s', async (_where, group) => {
    const order = await paidTooLate(group);

    expect(await buyer.order(order.orderNo)).toMatchObject({
      transactionStatus: 'FAILED',
      reviewReason: 'REFUND_DUE',
      tickets: [],
    });
    expect(await buyer.reserved(order)).toBe(2);
  });

  it.each([
    ['gets its tickets when it is paid on the day of admission', startOf, { transactionStatus: 'SUCCESS' }, [2, 2]],
    ['gets a refund when that day is over', endOf, { transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE' }, [0, 0]],
  ])('%s, though there are places', async (_what, momentOfDay, settled, [places, tickets]) => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    await expireOrders(ticketing.context, never);
    await buyer.bank(order.orderNo, 'approve');
    const now = momentOfDay(order.input.admitDate);

    await createBuyer({ ...ticketing.context, clock: { now: () => now } }, ticketing.bankUrl).asks(order);

    const is = await buyer.order(order.orderNo);
    expect(is).toMatchObject(settled);
    expect([await buyer.reserved(order), is.tickets.length]).toEqual([places, tickets]);
  });

  it('gets a refund when its day was closed before the late payment, though there are places', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    await expireOrders(ticketing.context, never);
    const { ticketGroupId } = order;
    await ticketing.context.db.dailyCapacity.updateMany({ where: { ticketGroupId }, data: { closed: true } });

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    const settled = { transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE', tickets: [] };
    expect(await buyer.order(order.orderNo)).toMatchObject(settled);
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('that was paid in time gets a refund when the bank is heard of only after the day of admission', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await buyer.bank(order.orderNo, 'timeout');
    const now = endOf(order.input.admitDate); // nothing ran meanwhile

    await createBuyer({ ...ticketing.context, clock: { now: () => now } }, ticketing.bankUrl).asks(order);

    const is = await buyer.order(order.orderNo);
    expect(is).toMatchObject({ transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE', tickets: [] });
    expect(is.deliveries.map(({ kind }) => kind)).toEqual(['refundDue']);
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('that gets a refund is notified once, however often the bank repeats its message', async () => {
    const order = await paidTooLate();
    await Promise.all([buyer.requery(order), buyer.asks(order), buyer.asks(order)]);

    const { deliveries, logs } = await buyer.order(order.orderNo);
    expect(deliveries).toMatchObject([{ kind: 'refundDue', recipient: 'siti@example.my' }]);
    expect(logs.filter(({ title }) => title.startsWith('Review: '))).toHaveLength(1);
    expect(await told(order.orderNo)).toBe(1);
  });

  it('is not completed silently when a place becomes free after the refund was promised', async () => {
    const order = await paidTooLate();
    minutesPass(16);
    await expireOrders(ticketing.context, never); // the other buyer did not pay
    expect(await buyer.reserved(order)).toBe(0);

    await buyer.asks(order);

    expect(await buyer.order(order.orderNo)).toMatchObject({ transactionStatus: 'FAILED', tickets: [] });
  });

  it('keeps its success when expiry has already read it: the later change has no effect', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);

    // Holds the order after expiry has queried the bank (not decided yet) and waits for the lock; then the payment comes.
    const both = await ticketing.context.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM ticketing.order_ticket_group WHERE order_no = ${order.orderNo} FOR UPDATE`;
      const expiring = expireOrders(ticketing.context, never);
      await standsBeforeTheLock(1);
      const returning = buyer.returns(await buyer.bank(order.orderNo, 'approve'));
      await standsBeforeTheLock(2);
      return [expiring, returning];
    });
    await Promise.all(both);

    const { transactionStatus, tickets, deliveries } = await buyer.order(order.orderNo);
    expect([transactionStatus, tickets.length, deliveries.length]).toEqual(['SUCCESS', 2, 1]);
    expect(await buyer.reserved(order)).toBe(2);
  });

  it.each([
    ['was put under review', { reviewReason: 'AMOUNT_MISMATCH' as const }],
    ['was extended', { holdExpiresAt: new Date(Date.now() + 365 * 86_400_000) }],
  ])('keeps its places when it %s after expiry has read it', async (_what, data) => {
    const order = await buyer.orders();
    const { orderNo } = order;
    minutesPass(16);

    const expiring = await ticketing.context.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM ticketing.order_ticket_group WHERE order_no = ${orderNo} FOR UPDATE`;
      const running = expireOrders(ticketing.context, never);
      await standsBeforeTheLock(1);
      await tx.orderTicketGroup.update({ where: { orderNo }, data });
      return { running };
    });
    await expiring.running;

    expect((await buyer.order(orderNo)).transactionStatus).toBe('INITIATED');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('of many, each is paid once and holds its places, whichever comes first', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => buyer.orders()));
    for (const { orderNo } of orders) await buyer.pays(orderNo);
    minutesPass(31);
    const payloads = await Promise.all(orders.map(({ orderNo }) => buyer.bank(orderNo, 'approve')));

    await Promise.all([
      expireOrders(ticketing.context, never),
      ...payloads.map((payload) => buyer.returns(payload)),
      expireOrders(ticketing.context, never),
    ]);

    for (const order of orders) {
      const { transactionStatus, tickets, deliveries } = await buyer.order(order.orderNo);
      expect([transactionStatus, tickets.length, deliveries.length]).toEqual(['SUCCESS', 2, 1]);
      expect(await buyer.reserved(order)).toBe(2);
    }
  });
});

describe('a rush that left many orders unpaid', () => {
  it('has all its places again at once, however many they are', async () => {
    const MANY = 1_100;
    const order = await buyer.orders({ dailyCapacity: MANY, quantity: 1 });
    const { db } = ticketing.context;
    await db.$executeRaw`
      INSERT INTO ticketing.order_ticket_group (ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen,
        transaction_id, order_no, bill_id, product_id, total_amount_sen, quantity, buyer_name, buyer_email, admit_date,
        hold_expires_at, updated_at)
      SELECT ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, gen_random_uuid(), order_no || n,
        bill_id || n, product_id, total_amount_sen, 1, buyer_name, buyer_email, admit_date, hold_expires_at, updated_at
      FROM ticketing.order_ticket_group, generate_series(2, ${MANY}::int) n WHERE order_no = ${order.orderNo}`;
    await db.dailyCapacity.updateMany({ where: { ticketGroupId: order.ticketGroupId }, data: { reserved: MANY } });
    minutesPass(16);

    await expireOrders(ticketing.context, never);

    expect(await buyer.reserved(order)).toBe(0);
  });
});

describe('while the gateway hangs', () => {
  it('orders that nobody began to pay expire all the same, also behind many that it is queried about', async () => {
    const server = createServer(); // accepts requests and answers none
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const gateway = { url, publicUrl: '', agentToken: '', secret: new Uint8Array(32), timeoutMs: 60_000 };
    for (let pending = 0; pending < 8; pending++) await buyer.pays((await buyer.orders()).orderNo);
    minutesPass(20);
    const order = await buyer.orders();
    minutesPass(16);
    const stop = new AbortController();
    const needs = { ...ticketing.context, paymentGateway: paymentGateway(gateway, clock) };

    const expiring = expireOrders(needs, stop.signal);

    await expect
      .poll(() => buyer.order(order.orderNo), { timeout: 5_000, interval: 20 })
      .toMatchObject({ transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED' });
    stop.abort();
    server.close();
    server.closeAllConnections();
    await expiring;
  });
});

describe('while the gateway is unreachable', () => {
  it('a payment has ten minutes more, again and again for three hours, and is then given up', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    const gateway = {
      url: 'http://127.0.0.1:1',
      publicUrl: '',
      agentToken: '',
      secret: new Uint8Array(32),
      timeoutMs: 50,
    };
    const needs = { ...ticketing.context, paymentGateway: paymentGateway(gateway, clock) };
    minutesPass(30);

    for (let extended = 10; extended <= 180; extended += 10) {
      minutesPass(1);
      await expireOrders(needs, never);
      const { transactionStatus, expiryExtendedMinutes } = await buyer.order(order.orderNo);
      expect([transactionStatus, expiryExtendedMinutes]).toEqual(['PENDING', extended]);
      minutesPass(9);
    }
    minutesPass(1);
    await expireOrders(needs, never);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('FAILED');
    expect(await buyer.reserved(order)).toBe(0);
  });
});

const told = (orderNo: string) =>
  ticketing.context.db.notification.count({ where: { message: { contains: orderNo } } });

const standsBeforeTheLock = (count: number) =>
  expect
    .poll(
      () =>
        ticketing.context.db.$queryRaw<
          unknown[]
        >`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      {
        timeout: 5_000,
        interval: 20,
      },
    )
    .toHaveLength(count);

it('every day holds exactly the sum of its orders', async () => {
  const wrong = await ticketing.context.db.$queryRaw<unknown[]>`
    SELECT c.* FROM ticketing.daily_capacity c
    WHERE c.reserved <> (
      SELECT coalesce(sum(o.quantity), 0) FROM ticketing.order_ticket_group o
      WHERE o.ticket_group_id = c.ticket_group_id AND o.admit_date = c.admit_date AND o.transaction_status <> 'FAILED'
    )`;

  expect(wrong).toEqual([]);
});
