import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createOrder } from '../checkout/create-order.ts';
import type { Context } from '../context.ts';
import { watchOrder } from '../orders/watch-order.ts';
import { startPayment } from '../payments/start-payment.ts';
import { expireOrders } from '../settlement/expire-orders.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { topics } from '../topics.ts';
import { cancelOrder } from './cancel-order.ts';

const email = 'siti@example.my';
let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
const never = new AbortController().signal;

let ticketing: ScratchTicketing;
let context: Context;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock });
  context = ticketing.context;
  buyer = createBuyer(context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

type Placed = Awaited<ReturnType<typeof buyer.orders>>;

const cancel = ({ orderNo }: Pick<Placed, 'orderNo'>) => cancelOrder(context, { orderNo, email });

/** Pays with a form that was made although the order could not be paid. */
async function paysAllTheSame({ orderNo }: Placed) {
  const { fields, action } = context.paymentGateway.form({
    ...(await buyer.order(orderNo)),
    amountSen: 100_00n,
    bankCode: '',
    token: `late-${orderNo}`,
    redirectUrl: 'http://127.0.0.1:1/payment/return',
  });
  const body = new URLSearchParams([...fields].map(({ name, value }): [string, string] => [name, value]));
  expect((await fetch(action, { method: 'POST', body })).status).toBe(200);
  await buyer.returns(await buyer.bank(orderNo, 'approve'));
}

describe('an order that its buyer cancels', () => {
  it('fails, and its places can be ordered at once', async () => {
    const order = await buyer.orders({ dailyCapacity: 2 });

    expect(await cancel(order)).toMatchObject({ transactionStatus: 'FAILED', bankCurrentStatus: 'CANCELLED' });

    expect(await buyer.reserved(order)).toBe(0);
    expect((await createOrder(context, { input: order.input })).transactionStatus).toBe('INITIATED');
    const { logs } = await buyer.order(order.orderNo);
    expect(logs).toContainEqual(expect.objectContaining({ title: 'Cancelled', performedBy: 'Siti' }));
  });

  it('can not be paid any more', async () => {
    const order = await buyer.orders();
    await cancel(order);

    const reason = { reason: 'ORDER_NOT_PAYABLE' };
    await expect(startPayment(context, { orderNo: order.orderNo })).rejects.toMatchObject(reason);
  });

  it('is shown to those who follow it, and its day to those who watch the availability', async () => {
    const days: string[] = [];
    const stop = context.events.subscribe(topics.days, (day) => days.push(String(day)));
    const order = await buyer.orders();
    const day = `${order.ticketGroupId}/${order.input.admitDate}`;
    const isTold = () => expect.poll(() => days, { timeout: 30_000 }).toContain(day);
    await isTold();
    days.length = 0;
    const states = await watchOrder(context, { orderNo: order.orderNo, email });
    await states.next();

    await cancel(order);

    expect(await states.next()).toMatchObject({ value: { transactionStatus: 'FAILED' } });
    await isTold();
    stop();
  });

  it('is cancelled once, however often they ask', async () => {
    const order = await buyer.orders();
    await Promise.all([cancel(order), cancel(order), cancel(order)]);

    expect((await cancel(order)).bankCurrentStatus).toBe('CANCELLED');
    const { logs, version } = await buyer.order(order.orderNo);
    expect([logs.filter(({ title }) => title === 'Cancelled').length, version]).toEqual([1, 2]);
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('is valid after all when a payment arrives while there are places', async () => {
    const order = await buyer.orders();
    await cancel(order);
    await paysAllTheSame(order);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('gets a refund when a payment arrives and its places are gone', async () => {
    const order = await buyer.orders({ dailyCapacity: 2 });
    await cancel(order);
    await createOrder(context, { input: order.input });
    await paysAllTheSame(order);

    const found = await buyer.order(order.orderNo);
    expect(found).toMatchObject({ transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE', tickets: [] });
    expect(await buyer.reserved(order)).toBe(2);
  });
});

describe('an order that staff cancels', () => {
  const as = (order: Placed, permission: string): Context => ({
    ...context,
    viewer: { kind: 'staff', userId: 'the-box-office' } as Context['viewer'],
    permissions: {
      ...context.permissions,
      inWorkspace: async () => ({ organizationId: order.organizationId, permissions: new Set([permission]) }),
    },
  });

  it('needs their permission to manage orders, and names them in its log', async () => {
    const order = await buyer.orders();
    const { orderNo } = order;
    const reason = { reason: 'ORDER_NOT_FOUND' };
    await expect(cancelOrder(as(order, 'orders:view'), { orderNo })).rejects.toMatchObject(reason);

    expect((await cancelOrder(as(order, 'orders:manage'), { orderNo })).transactionStatus).toBe('FAILED');
    const { logs } = await buyer.order(orderNo);
    expect(logs).toContainEqual(expect.objectContaining({ title: 'Cancelled', performedBy: 'staff the-box-office' }));
  });
});

describe('an order that can not be cancelled', () => {
  const refused = { reason: 'ORDER_NOT_CANCELLABLE' };

  it('is one whose payment has begun, or that is paid', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await expect(cancel(order)).rejects.toMatchObject({ ...refused, extensions: { transactionStatus: 'PENDING' } });

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));
    await expect(cancel(order)).rejects.toMatchObject({ ...refused, extensions: { transactionStatus: 'SUCCESS' } });
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is one whose payment staff must look at', async () => {
    const order = await buyer.orders();
    const { orderNo } = order;
    await context.db.orderTicketGroup.update({ where: { orderNo }, data: { reviewReason: 'AMOUNT_MISMATCH' } });

    await expect(cancel(order)).rejects.toMatchObject(refused);
  });

  it('is that of somebody else: number and e-mail must match', async () => {
    const { orderNo } = await buyer.orders();
    const notFound = { reason: 'ORDER_NOT_FOUND' };

    await expect(cancelOrder(context, { orderNo })).rejects.toMatchObject(notFound);
    await expect(cancelOrder(context, { orderNo, email: 'x@example.my' })).rejects.toMatchObject(notFound);
    await expect(cancelOrder(context, { orderNo: 'ORD-1', email })).rejects.toMatchObject(notFound);
    expect((await buyer.order(orderNo)).transactionStatus).toBe('INITIATED');
  });
});

describe('an order that is cancelled at the same moment', () => {
  it('as its payment begins, is either with the bank and holds its places, or cancelled and holds none', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => buyer.orders()));

    await Promise.allSettled(
      orders.flatMap((order, at) => {
        const both = [() => cancel(order), () => startPayment(context, { orderNo: order.orderNo })];
        return (at % 2 ? both : both.toReversed()).map((act) => act());
      }),
    );

    for (const order of orders) {
      const { orderTicketGroupId, transactionStatus } = await buyer.order(order.orderNo);
      const forms = await context.db.paymentAttempt.count({ where: { orderTicketGroupId } });
      const possible = [
        ['PENDING', 1, 2],
        ['FAILED', 0, 0],
      ];
      expect(possible).toContainEqual([transactionStatus, forms, await buyer.reserved(order)]);
    }
  });

  it('as its payment begins, waits for the form, and is then refused', async () => {
    const order = await buyer.orders();
    const { orderNo } = order;

    // The form has locked the order when it is cancelled.
    const cancelling = await context.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM ticketing.order_ticket_group WHERE order_no = ${orderNo} FOR UPDATE`;
      const asked = cancel(order).catch((error: unknown) => error);
      await waitsForTheLock();
      await tx.orderTicketGroup.update({ where: { orderNo }, data: { transactionStatus: 'PENDING' } });
      return [asked];
    }, LONG);

    expect(await cancelling[0]).toMatchObject({ reason: 'ORDER_NOT_CANCELLABLE' });
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('as it expires, gives its places back once', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => buyer.orders()));
    later += 16 * 60_000;

    await Promise.all([...orders.map(cancel), expireOrders(context, never)]);

    for (const order of orders) {
      const { transactionStatus, logs } = await buyer.order(order.orderNo);
      const ends = logs.filter(({ title }) => title === 'Cancelled' || title === 'Expired');
      expect([transactionStatus, ends.length, await buyer.reserved(order)]).toEqual(['FAILED', 1, 0]);
    }
  });
});

/** Longer than the pauses of a busy machine. */
const LONG = { maxWait: 60_000, timeout: 60_000 };

const waitsForTheLock = () =>
  expect
    .poll(
      () =>
        context.db.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      { timeout: 30_000, interval: 20 },
    )
    .toHaveLength(1);
