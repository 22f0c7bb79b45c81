import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aBuyer } from '../testing/buyer.ts';
import { openScratchHouse, type ScratchHouse } from '../testing/scratch-house.ts';
import { createOrder } from '../orders/create-order.ts';
import { expireOrders } from './expire-orders.ts';

let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
/** Each test finds the orders of those before it expired. */
const minutesPass = (minutes: number) => (later += minutes * 60_000);
const never = new AbortController().signal;

let house: ScratchHouse;
let buyer: ReturnType<typeof aBuyer>;
beforeAll(async () => {
  house = await openScratchHouse({ clock });
  buyer = aBuyer(house.context, house.bankUrl);
}, 60_000);
afterAll(() => house.stop());

describe('an order whose time is over', () => {
  it('gives its places back when nobody paid', async () => {
    const order = await buyer.orders();
    minutesPass(16);

    await expireOrders(house.context, never);

    expect(await buyer.order(order.orderNo)).toMatchObject({
      transactionStatus: 'FAILED',
      bankCurrentStatus: 'EXPIRED',
    });
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('is good when the bank, asked a last time, was paid', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await buyer.bank(order.orderNo, 'timeout');
    minutesPass(31);

    await expireOrders(house.context, never);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is either paid or expired when both happen at the same instant, and holds its places accordingly', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    const payload = await buyer.bank(order.orderNo, 'approve');

    await Promise.all([expireOrders(house.context, never), buyer.returns(payload)]);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('becomes good again by a late payment while there are places', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    minutesPass(31);
    await expireOrders(house.context, never);

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    const { transactionStatus, logs } = await buyer.order(order.orderNo);
    expect(transactionStatus).toBe('SUCCESS');
    expect(logs.map(({ title }) => title)).toContain('Late payment accepted');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is owed the money when the late payment finds no place', async () => {
    const order = await buyer.orders({ dailyCapacity: 2 });
    await buyer.pays(order.orderNo);
    minutesPass(31);
    await expireOrders(house.context, never);
    await createOrder(house.context, { input: order.input });

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    expect(await buyer.order(order.orderNo)).toMatchObject({
      transactionStatus: 'FAILED',
      reviewReason: 'REFUND_DUE',
      tickets: [],
    });
    expect(await buyer.reserved(order)).toBe(2);
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
