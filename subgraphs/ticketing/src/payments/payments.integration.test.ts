import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { watchOrder } from '../orders/watch-order.ts';
import { generatePaymentToken } from './payment-token.ts';
import { startPayment } from './start-payment.ts';
import { sweepTokens } from './sweep-tokens.ts';

const email = 'siti@example.my';

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

describe('a payment', () => {
  it('completes the order: tickets, one mail, the bank reference', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);

    const { redirectPath } = await buyer.returns(await buyer.bank(orderNo, 'approve'));

    expect(redirectPath).toBe(`/payment/success?orderNo=${orderNo}`);
    const order = await buyer.order(orderNo);
    expect(order).toMatchObject({ transactionStatus: 'SUCCESS', bankCurrentStatus: '00 Approved', reviewReason: null });
    expect(order.tickets).toHaveLength(2);
    expect(order.deliveries).toHaveLength(1);
    expect(order.gatewayTransactionId).toMatch(/^SIM-/);
  });

  it('counts once when twenty copies of the result arrive at the same moment', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    const payload = await buyer.bank(orderNo, 'approve');

    const landings = await Promise.all(Array.from({ length: 20 }, () => buyer.returns(payload)));

    expect(new Set(landings.map(({ redirectPath }) => redirectPath))).toEqual(
      new Set([`/payment/success?orderNo=${orderNo}`]),
    );
    const order = await buyer.order(orderNo);
    expect([order.tickets.length, order.deliveries.length, order.events.length]).toEqual([2, 1, 1]);
  });

  it('that is rejected releases the places, once', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    const payload = await buyer.bank(order.orderNo, 'reject');

    const landings = await Promise.all([buyer.returns(payload), buyer.returns(payload)]);

    expect(landings[0].redirectPath).toBe(`/payment/failure?orderNo=${order.orderNo}`);
    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('FAILED');
    expect(await buyer.reserved(order)).toBe(0);
  });

  it('of another amount completes nothing, and is put under review', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);

    const { redirectPath } = await buyer.returns(await buyer.bank(orderNo, 'wrong-amount'));

    expect(redirectPath).toBe(`/payment/failure?orderNo=${orderNo}&code=REVIEW`);
    const order = await buyer.order(orderNo);
    expect(order).toMatchObject({ transactionStatus: 'PENDING', reviewReason: 'AMOUNT_MISMATCH' });
    expect(order.tickets).toEqual([]);
    expect(await ticketing.context.db.notification.count({ where: { message: { contains: orderNo } } })).toBe(1);
  });

  it('of another amount is put under review once, though the browser and the gateway both report it', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);

    await buyer.returns(await buyer.bank(order.orderNo, 'wrong-amount'));
    await Promise.all([buyer.asks(order), buyer.asks(order)]);

    const { logs, events } = await buyer.order(order.orderNo);
    expect(logs.filter(({ title }) => title.startsWith('Review: '))).toHaveLength(1);
    expect(events.map(({ outcome }) => outcome).toSorted()).toEqual(['REVIEW', 'UNCHANGED', 'UNCHANGED']);
    await expect(startPayment(ticketing.context, { orderNo: order.orderNo })).rejects.toMatchObject({
      reason: 'ORDER_NOT_PAYABLE',
    });
  });

  it('that is made a second time is put under review, and the order stays SUCCESS', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.pays(orderNo); // in another window
    await buyer.returns(await buyer.bank(orderNo, 'approve'));

    const { redirectPath } = await buyer.returns(await buyer.bank(orderNo, 'approve'));

    expect(redirectPath).toBe(`/payment/success?orderNo=${orderNo}`);
    const order = await buyer.order(orderNo);
    expect(order).toMatchObject({ transactionStatus: 'SUCCESS', reviewReason: 'DOUBLE_PAYMENT' });
    expect([order.tickets.length, order.deliveries.length]).toEqual([2, 1]);
    expect(await ticketing.context.db.notification.count({ where: { message: { contains: orderNo } } })).toBe(2);
  });

  it('that is reported as rejected after it succeeded changes nothing', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.returns(await buyer.bank(orderNo, 'approve'));

    await buyer.returns(await buyer.bank(orderNo, 'reject'));

    expect((await buyer.order(orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('that was tampered with changes no order', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);

    const { redirectPath } = await buyer.returns(await buyer.bank(orderNo, 'tampered'));

    expect(redirectPath).toBe('/payment/failure?code=INVALID_PAYLOAD');
    expect((await buyer.order(orderNo)).events).toEqual([]);
  });

  it('that nobody reported is found by a requery', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await buyer.bank(order.orderNo, 'timeout');

    await buyer.requery(order);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('whose form was rejected, while the buyer pays another, is found by a requery', async () => {
    const order = await buyer.orders();
    await buyer.pays(order.orderNo);
    await buyer.pays(order.orderNo); // at another bank
    await buyer.returns(await buyer.bank(order.orderNo, 'reject'));
    await buyer.bank(order.orderNo, 'timeout'); // nobody reports that the other form was paid

    await buyer.requery(order);

    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it('that the bank has not decided stays PENDING', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);

    const { redirectPath } = await buyer.returns(await buyer.bank(orderNo, 'pending'));

    expect(redirectPath).toBe(`/payment/success?orderNo=${orderNo}&status=PENDING`);
    expect(await buyer.order(orderNo)).toMatchObject({
      transactionStatus: 'PENDING',
      bankCurrentStatus: '99 Pending authorisation',
    });
  });
});

describe('a payment form', () => {
  it('may be posted again by a buyer who went back', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.pays(orderNo);
    await buyer.returns(await buyer.bank(orderNo, 'approve'));

    await expect(startPayment(ticketing.context, { orderNo })).rejects.toMatchObject({ reason: 'ORDER_NOT_PAYABLE' });
  });

  it('is refused when it was edited', async () => {
    const { orderNo } = await buyer.orders();

    await expect(startPayment(ticketing.context, { orderNo, totalAmount: 1 })).rejects.toMatchObject({
      reason: 'FORM_MISMATCH',
    });
    expect((await buyer.order(orderNo)).transactionStatus).toBe('INITIATED');
  });

  it('has a random key that is deleted once it is too old, and not before', async () => {
    const token = await generatePaymentToken(ticketing.context);
    await sweepTokens(ticketing.context);
    expect(await ticketing.context.db.paymentToken.count()).toBe(1);

    await sweepTokens({ ...ticketing.context, clock: { now: () => new Date(Date.now() + 11 * 60_000) } });

    expect(await ticketing.context.db.paymentToken.count()).toBe(0);
    const { orderNo } = await buyer.orders();
    await expect(startPayment(ticketing.context, { orderNo, token })).rejects.toMatchObject({
      reason: 'PAYMENT_TOKEN_USED',
    });
  });

  it('uses its random key up', async () => {
    const [one, two] = [await buyer.orders(), await buyer.orders()];
    const token = await generatePaymentToken(ticketing.context);
    await buyer.pays(one.orderNo, { token });

    await expect(startPayment(ticketing.context, { orderNo: two.orderNo, token })).rejects.toMatchObject({
      reason: 'PAYMENT_TOKEN_USED',
    });
    expect((await buyer.order(two.orderNo)).transactionStatus).toBe('INITIATED');
  });
});

describe('the subscription to an order', () => {
  it('yields the order, then each change, and ends when its tickets are issued', async () => {
    const { orderNo } = await buyer.orders();
    const changes = await watchOrder(ticketing.context, { orderNo, email: 'SITI@example.my' });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const order of changes) seen.push(order.transactionStatus);
    })();

    await buyer.pays(orderNo);
    await vi.waitFor(() => expect(seen).toContain('PENDING'));
    await buyer.returns(await buyer.bank(orderNo, 'approve'));
    await watching;

    expect(seen).toEqual(['INITIATED', 'PENDING', 'SUCCESS']);
  });

  it('goes on after a failure: the bank may report a payment late', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.pays(orderNo); // in another window
    await buyer.returns(await buyer.bank(orderNo, 'reject'));
    const changes = await watchOrder(ticketing.context, { orderNo, email });
    expect(await changes.next()).toMatchObject({ value: { transactionStatus: 'FAILED' } });

    await buyer.returns(await buyer.bank(orderNo, 'approve'));

    expect(await changes.next()).toMatchObject({ value: { transactionStatus: 'SUCCESS' } });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  it('tells that a review of the payment begins, and that it ends', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    const changes = await watchOrder(ticketing.context, { orderNo, email });
    await changes.next();

    await buyer.returns(await buyer.bank(orderNo, 'wrong-amount'));
    const inReview = await changes.next();
    await ticketing.context.db.orderTicketGroup.update({ where: { orderNo }, data: { reviewResolvedAt: new Date() } });
    const reviewed = await changes.next();

    expect(inReview.value).toMatchObject({ transactionStatus: 'PENDING', reviewReason: 'AMOUNT_MISMATCH' });
    expect(reviewed.value).toMatchObject({ transactionStatus: 'PENDING', reviewResolvedAt: expect.any(Date) });
    await changes.return?.();
  });

  it('is for the buyer only', async () => {
    const { orderNo } = await buyer.orders();

    await expect(watchOrder(ticketing.context, { orderNo })).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(watchOrder(ticketing.context, { orderNo, email: 'ali@example.my' })).rejects.toMatchObject({
      reason: 'ORDER_NOT_FOUND',
    });
  });
});
