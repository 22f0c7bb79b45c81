import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createOrder } from '../checkout/create-order.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { startPayment } from '../payments/start-payment.ts';

let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
const minutesPass = (minutes: number) => (later += minutes * 60_000);

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock });
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

type Placed = Awaited<ReturnType<typeof buyer.orders>>;

/** An order whose form was made and never posted to the bank. */
async function formOnly(more: { dailyCapacity?: number } = {}) {
  const order = await buyer.orders(more);
  await startPayment(ticketing.context, { orderNo: order.orderNo });
  return order;
}

/** Queries the bank after each of these numbers of minutes. */
async function askAfter(order: Placed, ...pauses: number[]) {
  for (const pause of pauses) {
    minutesPass(pause);
    await buyer.requery(order);
  }
}

/** Brings the form to the bank after all, however late. */
async function reaches({ orderNo }: Placed) {
  const { fields, action } = ticketing.context.paymentGateway.form({
    ...(await buyer.order(orderNo)),
    amountSen: 100_00n,
    bankCode: '',
    token: `late-${orderNo}`,
    redirectUrl: 'http://127.0.0.1:1/payment/return',
  }) as { action: string; fields: { name: string; value: string }[] };
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
  expect((await fetch(action, { method: 'POST', body })).status).toBe(200);
}

describe('an order whose buyer never reached the bank', () => {
  it('releases its places when the bank knows no payment at three queries in ten minutes', async () => {
    const order = await formOnly();

    await askAfter(order, 2, 3);
    expect(await buyer.order(order.orderNo)).toMatchObject({ transactionStatus: 'PENDING' });
    await askAfter(order, 5);

    const { logs, ...found } = await buyer.order(order.orderNo);
    expect(found).toMatchObject({ transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED', tickets: [] });
    expect(logs).toContainEqual(
      expect.objectContaining({ title: 'Expired', message: 'The buyer never reached the bank' }),
    );
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('keeps them while fewer than ten minutes have passed, however often the bank is queried', async () => {
    const order = await formOnly();

    await askAfter(order, 1, 1, 1, 1, 1);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('keeps them while the bank was queried fewer than three times', async () => {
    const order = await formOnly();

    await askAfter(order, 12, 1);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
  });

  it('has ten minutes from its last form', async () => {
    const order = await formOnly();
    await askAfter(order, 2, 3);
    await startPayment(ticketing.context, { orderNo: order.orderNo });

    await askAfter(order, 5, 1);
    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
    await askAfter(order, 5);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('FAILED');
  });

  it('keeps them once the bank has known the payment', async () => {
    const order = await formOnly();
    await reaches(order);
    await buyer.asks(order);
    const silent = { ...ticketing.context.paymentGateway };
    const forgetful = createBuyer(
      {
        ...ticketing.context,
        paymentGateway: { ...silent, requery: ({ orderNo }) => silent.requery({ orderNo, billId: 'BILL-OF-NOBODY' }) },
      },
      ticketing.bankUrl,
    );

    for (const pause of [5, 5, 5]) {
      minutesPass(pause);
      await forgetful.requery(order);
    }

    expect((await buyer.order(order.orderNo)).events.map(({ statusCode }) => statusCode)).toEqual([
      '09',
      '76',
      '76',
      '76',
    ]);
    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
  });

  it('succeeds when the payment comes late and there are places', async () => {
    const order = await formOnly();
    await askAfter(order, 2, 3, 5);
    await reaches(order);

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is queried for days: a late payment that nobody reports is found', async () => {
    const order = await formOnly();
    await askAfter(order, 2, 3, 5);
    await reaches(order);
    await buyer.bank(order.orderNo, 'timeout');

    await askAfter(order, 80 * 60);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('gets a refund when the late payment finds no place', async () => {
    const order = await formOnly({ dailyCapacity: 2 });
    await askAfter(order, 2, 3, 5);
    await createOrder(ticketing.context, { input: order.input });
    await reaches(order);

    await buyer.returns(await buyer.bank(order.orderNo, 'approve'));

    expect(await buyer.order(order.orderNo)).toMatchObject({ transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE' });
    expect(await buyer.reserved(order)).toBe(2);
  });

  it('is paid once and holds its places, though the payment comes at the moment of their release', async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => formOnly()));
    minutesPass(2);
    for (const order of orders) await buyer.requery(order);
    minutesPass(3);
    for (const order of orders) await buyer.requery(order);
    minutesPass(5);
    const unheardOf = await Promise.all(orders.map((order) => ticketing.context.paymentGateway.requery(order)));
    const buyerOfLateAnswers = createBuyer(
      {
        ...ticketing.context,
        paymentGateway: {
          ...ticketing.context.paymentGateway, // the bank answered just before the browser came
          requery: async ({ orderNo }) =>
            unheardOf.find((said) => said.orderNo === orderNo) as (typeof unheardOf)[number],
        },
      },
      ticketing.bankUrl,
    );
    for (const order of orders) await reaches(order);
    const payloads = await Promise.all(orders.map(({ orderNo }) => buyer.bank(orderNo, 'approve')));

    await Promise.all(
      orders.flatMap((order, at) => [buyerOfLateAnswers.requery(order), buyer.returns(payloads[at] as string)]),
    );

    for (const order of orders) {
      const { transactionStatus, tickets, deliveries } = await buyer.order(order.orderNo);
      expect([transactionStatus, tickets.length, deliveries.length]).toEqual(['SUCCESS', 2, 1]);
      expect(await buyer.reserved(order)).toBe(2);
    }
  });

  it('is released or tried once more, not both: a form that is made at that moment is refused or valid', async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => formOnly()));
    minutesPass(4);
    for (const order of orders) await buyer.requery(order);
    minutesPass(4);
    for (const order of orders) await buyer.requery(order);
    minutesPass(4);

    const forms = await Promise.allSettled(
      orders.map(async (order) => {
        const asking = buyer.requery(order);
        const [form] = await Promise.allSettled([startPayment(ticketing.context, { orderNo: order.orderNo })]);
        await asking;
        return form.status;
      }),
    );

    for (const [at, form] of forms.entries()) {
      const order = orders[at] as Placed;
      const { transactionStatus } = await buyer.order(order.orderNo);
      const made = form.status === 'fulfilled' && form.value === 'fulfilled';
      expect([made, transactionStatus, await buyer.reserved(order)]).toEqual(
        made ? [true, 'PENDING', 2] : [false, 'FAILED', 0],
      );
    }
  });
});
