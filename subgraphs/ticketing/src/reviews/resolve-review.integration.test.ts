import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { staffWith } from '../testing/staff-with.ts';
import { nextWeek } from '../testing/storefront-fixture.ts';
import { endOf } from '../units/calendar.ts';
import { resolveReview } from './resolve-review.ts';

let ticketing: ScratchTicketing;
let treasurer: Context;

beforeAll(async () => {
  ticketing = await openScratchTicketing();
  treasurer = staffWith('payments:manage', ticketing.context);
}, 60_000);
afterAll(() => ticketing.stop());

/** An order that was paid after its places were released and sold to others. */
async function paidTooLate({ payments = 1 } = {}) {
  const { context, bankUrl } = ticketing;
  const { db } = context;
  const buyer = createBuyer(context, bankUrl);
  const { orderNo, ticketGroupId, orderTicketGroupId } = await buyer.orders({ dailyCapacity: 2, quantity: 2 });
  const forms = Array.from({ length: payments });
  for (const _ of forms) await buyer.pays(orderNo);
  const payloads: string[] = [];
  for (const _ of forms) payloads.push(await buyer.bank(orderNo, 'approve'));
  await db.$transaction(async (tx) => {
    await tx.orderTicketGroup.update({
      where: { orderNo },
      data: { transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED' },
    });
    await tx.$executeRaw`SELECT ticketing.release_capacity(${orderTicketGroupId})`;
    await tx.dailyCapacity.updateMany({ where: { ticketGroupId }, data: { capacity: 1 } });
  });
  for (const payload of payloads) await buyer.returns(payload);
  expect(await buyer.order(orderNo)).toMatchObject({ transactionStatus: 'FAILED', reviewReason: 'REFUND_DUE' });
  return {
    buyer,
    orderNo,
    ticketGroupId,
    makeRoom: () => db.dailyCapacity.updateMany({ where: { ticketGroupId }, data: { capacity: 2 } }),
  };
}

describe('a payment that came too late', () => {
  it('is accepted only when there are places again; until then nothing changes', async () => {
    const { buyer, orderNo, ticketGroupId, makeRoom } = await paidTooLate();
    const accept = () => resolveReview(treasurer, { orderNo, resolution: 'ACCEPTED', note: 'There is room' });

    await expect(accept()).rejects.toMatchObject({ reason: 'SOLD_OUT' });
    const before = await buyer.order(orderNo);
    expect(before).toMatchObject({ transactionStatus: 'FAILED', reviewResolvedAt: null, tickets: [] });
    expect(before.logs.some(({ type }) => type === 'admin')).toBe(false);

    await makeRoom();
    expect(await accept()).toMatchObject({ transactionStatus: 'SUCCESS' });
    const { tickets, deliveries } = await buyer.order(orderNo);
    expect(tickets).toHaveLength(2);
    expect(await buyer.reserved({ ticketGroupId })).toBe(2);
    expect(deliveries.map(({ kind }) => kind)).toEqual(['confirmation']); // the notice of a refund was not sent yet
  });

  it('that is accepted takes back no notice of a refund that was sent, nor one about another payment', async () => {
    const { db } = ticketing.context;
    const kindsAfter = async ({ buyer, orderNo, makeRoom }: Awaited<ReturnType<typeof paidTooLate>>) => {
      await makeRoom();
      const [event] = (await buyer.order(orderNo)).events;
      const gatewayTransactionId = event?.gatewayTransactionId;
      const note = 'There is room';
      await resolveReview(treasurer, { orderNo, resolution: 'ACCEPTED', note, gatewayTransactionId });
      return (await buyer.order(orderNo)).deliveries.map(({ kind }) => kind);
    };

    const sent = await paidTooLate();
    await db.delivery.updateMany({ where: { order: { orderNo: sent.orderNo } }, data: { state: 'SENT' } });
    expect(await kindsAfter(sent)).toEqual(['refundDue', 'confirmation']);
    expect(await kindsAfter(await paidTooLate({ payments: 2 }))).toEqual(['refundDue', 'confirmation']);
  });

  it('is not accepted when its day is over, although there are places', async () => {
    const { buyer, orderNo, makeRoom } = await paidTooLate();
    await makeRoom();
    const clock = { now: () => endOf(nextWeek()) };

    await expect(
      resolveReview({ ...treasurer, clock }, { orderNo, resolution: 'ACCEPTED', note: 'There is room' }),
    ).rejects.toMatchObject({ reason: 'INVALID_DATE' });

    const unchanged = { transactionStatus: 'FAILED', reviewResolvedAt: null, tickets: [] };
    expect(await buyer.order(orderNo)).toMatchObject(unchanged);
  });

  it('is settled when its refund is noted: no tickets, and no places taken', async () => {
    const { buyer, orderNo, ticketGroupId } = await paidTooLate();

    await resolveReview(treasurer, { orderNo, resolution: 'REFUND_NOTED', note: 'Sent back' });
    const refunded = { transactionStatus: 'FAILED', bankCurrentStatus: 'REFUNDED', tickets: [] };
    expect(await buyer.order(orderNo)).toMatchObject(refunded);
    expect(await buyer.reserved({ ticketGroupId })).toBe(0);
    await expect(
      resolveReview(treasurer, { orderNo, resolution: 'ACCEPTED', note: 'After all' }),
    ).rejects.toMatchObject({ reason: 'REVIEW_NOT_OPEN' });
  });
});

describe('a payment of another amount', () => {
  it('is not accepted when the day of the order is over, although it still has its places', async () => {
    const { context, bankUrl } = ticketing;
    const buyer = createBuyer(context, bankUrl);
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.returns(await buyer.bank(orderNo, 'wrong-amount'));
    const clock = { now: () => endOf(nextWeek()) };

    await expect(
      resolveReview({ ...treasurer, clock }, { orderNo, resolution: 'ACCEPTED', note: 'Close enough' }),
    ).rejects.toMatchObject({ reason: 'INVALID_DATE' });

    const unchanged = { transactionStatus: 'PENDING', reviewResolvedAt: null, tickets: [] };
    expect(await buyer.order(orderNo)).toMatchObject(unchanged);
  });
});

describe('a second payment of a paid order', () => {
  it.each(['ACCEPTED', 'REFUND_NOTED'] as const)(
    '%s: the order and its tickets stay as they are',
    async (resolution) => {
      const { context, bankUrl } = ticketing;
      const buyer = createBuyer(context, bankUrl);
      const { orderNo, ticketGroupId } = await buyer.orders();
      await buyer.pays(orderNo);
      await buyer.returns(await buyer.bank(orderNo, 'approve'));
      await context.db.orderTicketGroup.update({ where: { orderNo }, data: { reviewReason: 'DOUBLE_PAYMENT' } });

      await resolveReview(treasurer, { orderNo, resolution, note: 'Looked into it' });
      const { transactionStatus, tickets, reviewResolvedAt } = await buyer.order(orderNo);
      expect([transactionStatus, tickets.length, reviewResolvedAt]).toEqual(['SUCCESS', 2, expect.any(Date)]);
      expect(await buyer.reserved({ ticketGroupId })).toBe(2);
    },
  );
});

describe('payments of one order that do not fit it', () => {
  /** An order whose forms were paid in these ways, one after the other. */
  async function paidBy(...outcomes: ('wrong-amount' | 'approve')[]) {
    const { context, bankUrl } = ticketing;
    const buyer = createBuyer(context, bankUrl);
    const order = await buyer.orders();
    for (const _ of outcomes) await buyer.pays(order.orderNo); // in several windows
    for (const outcome of outcomes) await buyer.returns(await buyer.bank(order.orderNo, outcome));
    const { events } = await buyer.order(order.orderNo);
    const decides = (resolution: 'ACCEPTED' | 'REFUND_NOTED', payment?: number) =>
      resolveReview(treasurer, {
        orderNo: order.orderNo,
        resolution,
        note: 'Looked into it',
        gatewayTransactionId: payment === undefined ? null : events[payment]?.gatewayTransactionId,
      });
    return { ...order, buyer, decides };
  }

  it('are reviewed one after the other: a later reason never replaces that of an open review', async () => {
    const { orderNo, buyer, decides } = await paidBy('wrong-amount', 'approve', 'approve');
    const { events, ...first } = await buyer.order(orderNo);
    expect(first).toMatchObject({
      transactionStatus: 'SUCCESS',
      reviewReason: 'AMOUNT_MISMATCH',
      reviewResolvedAt: null,
    });
    expect(events.map(({ waitingReview }) => waitingReview)).toEqual([null, null, 'DOUBLE_PAYMENT']);

    expect(await decides('REFUND_NOTED', 0)).toMatchObject({ reviewReason: 'DOUBLE_PAYMENT', reviewResolvedAt: null });
    expect(await decides('REFUND_NOTED', 2)).toMatchObject({
      transactionStatus: 'SUCCESS',
      reviewReason: 'DOUBLE_PAYMENT',
      reviewResolvedAt: expect.any(Date),
    });
    await expect(decides('REFUND_NOTED', 2)).rejects.toMatchObject({ reason: 'REVIEW_NOT_OPEN' });
  });

  it('keep the places of the order until the last is decided, and give it the tickets of the one that is accepted', async () => {
    const { orderNo, ticketGroupId, buyer, decides } = await paidBy('wrong-amount', 'wrong-amount');

    expect(await decides('REFUND_NOTED', 0)).toMatchObject({ transactionStatus: 'PENDING', reviewResolvedAt: null });
    expect(await buyer.reserved({ ticketGroupId })).toBe(2);
    expect(await decides('ACCEPTED', 1)).toMatchObject({ transactionStatus: 'SUCCESS' });
    const { events, tickets, gatewayTransactionId } = await buyer.order(orderNo);
    expect([tickets.length, gatewayTransactionId]).toEqual([2, events[1]?.gatewayTransactionId]);
  });

  it('are decided by those who looked at them: a decision about another one than is under review is refused', async () => {
    const { decides } = await paidBy('wrong-amount', 'wrong-amount');

    await expect(decides('ACCEPTED', 1)).rejects.toMatchObject({ reason: 'REVIEW_NOT_OPEN' });
    await expect(decides('ACCEPTED')).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
    await decides('REFUND_NOTED', 0);
    await expect(decides('REFUND_NOTED', 0)).rejects.toMatchObject({ reason: 'REVIEW_NOT_OPEN' });
    expect(await decides('ACCEPTED', 1)).toMatchObject({ transactionStatus: 'SUCCESS' });
  });
});
