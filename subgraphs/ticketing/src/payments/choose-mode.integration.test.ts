import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dateColumn, dayOf, daysAfter, startOf } from '../units/calendar.ts';
import { createOrder } from '../checkout/create-order.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek, createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { expireOrders } from '../settlement/expire-orders.ts';
import { startPayment } from './start-payment.ts';

let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
const minutesPass = (minutes: number) => (later += minutes * 60_000);
const never = new AbortController().signal;

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock });
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

const msgTokenOf = (form: { fields: readonly { name: string; value: string }[] }) =>
  form.fields.find(({ name }) => name === 'msgToken')?.value;

const orderOf = async (unitPriceSen: bigint, mode?: string) => {
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, {
    dailyCapacity: 10,
    unitPriceSen,
  });
  const input = {
    ticketGroupId,
    custId: await createGuest(ticketing.context.db),
    admitDate: nextWeek(),
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [{ itemId, quantityBought: 1 }],
    ...(mode && { mode }),
  };
  return createOrder(ticketing.context, { input });
};

/** For how many minutes from now the order holds its places. */
const minutesHeld = async (orderNo: string) => {
  const { holdExpiresAt } = await buyer.order(orderNo);
  return Math.round((Number(holdExpiresAt) - clock.now().getTime()) / 60_000);
};

describe('the mode of a payment', () => {
  it.each([
    ['mode=corporate', { mode: 'corporate' }, '02'],
    ['msgToken=02', { msgToken: '02' }, '02'],
    ['mode=02', { mode: '02' }, '02'],
    ['mode=corporate beside the msgToken of the order', { mode: 'Corporate', msgToken: '01' }, '02'],
    ['mode=individual', { mode: 'individual' }, '01'],
    ['nothing', {}, '01'],
    ['blanks', { mode: ' ', msgToken: '' }, '01'],
  ])('is the one of the form at the bank: %s', async (_what, sent, msgToken) => {
    const { orderNo } = await buyer.orders();

    const form = await startPayment(ticketing.context, { orderNo, ...sent });

    expect(msgTokenOf(form)).toBe(msgToken);
    expect((await buyer.order(orderNo)).msgToken).toBe(msgToken);
    expect(await ticketing.context.db.paymentAttempt.findFirst({ where: { order: { orderNo } } })).toMatchObject({
      msgToken,
    });
  });

  it('overrides the one that the order was placed with', async () => {
    const { orderNo } = await orderOf(50_00n, 'corporate');

    expect(msgTokenOf(await startPayment(ticketing.context, { orderNo }))).toBe('02');
    expect(msgTokenOf(await startPayment(ticketing.context, { orderNo, mode: 'individual' }))).toBe('01');
    expect(msgTokenOf(await startPayment(ticketing.context, { orderNo }))).toBe('01');
  });

  it.each([{ mode: 'both' }, { msgToken: '03' }])('is refused when it is none: %j', async (sent) => {
    const { orderNo } = await buyer.orders();

    await expect(startPayment(ticketing.context, { orderNo, ...sent })).rejects.toMatchObject({
      reason: 'FORM_MISMATCH',
    });
    expect((await buyer.order(orderNo)).transactionStatus).toBe('INITIATED');
  });

  it('decides how much may be paid: RM 50,000 by a company only, RM 1.50 by an individual only', async () => {
    const [dear, cheap] = [await orderOf(50_000_00n), await orderOf(1_50n)];
    const pay = (orderNo: string, mode: string) => startPayment(ticketing.context, { orderNo, mode });

    await expect(pay(dear.orderNo, 'individual')).rejects.toMatchObject({ reason: 'AMOUNT_OUT_OF_RANGE' });
    await expect(pay(cheap.orderNo, 'corporate')).rejects.toMatchObject({ reason: 'AMOUNT_OUT_OF_RANGE' });
    for (const { orderNo } of [dear, cheap]) expect((await buyer.order(orderNo)).transactionStatus).toBe('INITIATED');
    expect(msgTokenOf(await pay(dear.orderNo, 'corporate'))).toBe('02');
    expect(msgTokenOf(await pay(cheap.orderNo, 'individual'))).toBe('01');
  });

  it('is corporate for an amount that only companies can pay, unless the form says otherwise', async () => {
    const dear = await orderOf(50_000_00n);

    expect(dear.msgToken).toBe('02');
    expect(msgTokenOf(await startPayment(ticketing.context, { orderNo: dear.orderNo }))).toBe('02');
  });
});

describe('the places of a company', () => {
  it('are held for half an hour by the form alone, and for three days once the bank knows of the payment', async () => {
    const order = await orderOf(50_00n);
    await startPayment(ticketing.context, { orderNo: order.orderNo, mode: 'corporate' });
    expect(await minutesHeld(order.orderNo)).toBe(30);

    await buyer.pays(order.orderNo, { mode: 'corporate' });
    minutesPass(5);
    await buyer.asks(order);
    expect(await minutesHeld(order.orderNo)).toBe(72 * 60);

    minutesPass(60);
    await buyer.asks(order);
    expect(await minutesHeld(order.orderNo)).toBe(71 * 60);
  });

  it('are held longer when the bank, queried a last time, knows of the payment', async () => {
    const order = await orderOf(50_00n);
    await buyer.pays(order.orderNo, { mode: 'corporate' });
    minutesPass(31);

    await expireOrders(ticketing.context, never);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
    expect(await minutesHeld(order.orderNo)).toBe(72 * 60);
  });

  it('are held for three days even when an individual’s form followed before the bank answered', async () => {
    const order = await orderOf(50_00n);
    await buyer.pays(order.orderNo, { mode: 'corporate' });
    await startPayment(ticketing.context, { orderNo: order.orderNo, mode: 'individual' });
    expect((await buyer.order(order.orderNo)).msgToken).toBe('01');

    await buyer.asks(order); // the bank knows of the company's payment alone

    expect(await minutesHeld(order.orderNo)).toBe(72 * 60);
  });

  it('are held until the day of admission begins, also when an individual’s form came first; its deadline returns with its form', async () => {
    const before = later;
    const day = daysAfter(dayOf(clock.now()), 1);
    later += startOf(day).getTime() - clock.now().getTime() - 10 * 60_000; // ten minutes before that day begins
    const eve = await orderOf(50_00n);
    const data = { admitDate: dateColumn(day) };
    await ticketing.context.db.orderTicketGroup.update({ where: { orderNo: eve.orderNo }, data });

    const held = [];
    for (const mode of ['individual', 'corporate', 'individual']) {
      await startPayment(ticketing.context, { orderNo: eve.orderNo, mode });
      held.push(await minutesHeld(eve.orderNo));
    }
    later = before;

    expect(held).toEqual([30, 10, 30]);
  });

  it('are not held longer when an individual’s payment is called a company’s afterwards', async () => {
    const order = await orderOf(50_00n);
    await buyer.pays(order.orderNo);
    await startPayment(ticketing.context, { orderNo: order.orderNo, mode: 'corporate' });

    await buyer.asks(order); // the bank knows of the individual's payment alone

    expect(await minutesHeld(order.orderNo)).toBe(30);
  });

  it('can not be extended again and again by alternating the mode', async () => {
    const order = await orderOf(50_00n);
    await buyer.pays(order.orderNo, { mode: 'corporate' });
    await buyer.asks(order);
    minutesPass(60);

    await buyer.pays(order.orderNo, { mode: 'individual' });
    await buyer.asks(order);
    await buyer.pays(order.orderNo, { mode: 'corporate' });
    await buyer.asks(order);

    expect(await minutesHeld(order.orderNo)).toBe(71 * 60);
  });
});
