import { beforeAll, describe, expect, it } from 'vitest';

import { decide, goToTheBank, payAtTheBank } from '../support/servers/bank.ts';
import { mailsTo } from '../support/servers/inbox.ts';
import type { Json } from '../support/json.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, type logIn } from '../support/fixtures/people.ts';
import {
  acmeAdmin,
  aGuest,
  ask,
  day,
  nobody,
  onSale,
  order,
  orderInput,
  refusalOf,
} from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  organization = await createOrganization(server);
});

const RESOLVE = `mutation ($orderNo: String!, $resolution: ReviewResolution!, $note: String!) {
  resolveReview(orderNo: $orderNo, resolution: $resolution, note: $note) { transactionStatus reviewReason reviewResolvedAt } }`;
const RESEND = `mutation ($orderNo: String!, $email: String) { resendTickets(orderNo: $orderNo, email: $email) { isEmailSent } }`;
const STATE = `query ($orderNo: String!) { order(orderNo: $orderNo) { transactionStatus reviewReason reviewResolvedAt isEmailSent
  tickets { code } logs { performedBy type title message } payments { amount outcome } } }`;

const stateOf = (orderNo: string): Promise<Json> => ask(server, admin, STATE, { orderNo });
const resolve = (orderNo: string, resolution: string, note = 'Spoke with the bank') => ({ orderNo, resolution, note });
const reservedOn = async (ticketGroupId: string) => {
  const query = `query ($id: ID!, $on: Date!) { dailyCapacities(ticketGroupId: $id, from: $on, to: $on) { reserved } }`;
  return (await ask(server, admin, query, { id: ticketGroupId, on: day(7) }))[0].reserved as number;
};

/** An order for which the bank reports another amount. */
async function withAnotherAmount(buyerEmail = 'review@example.test') {
  const group = await onSale(server, admin);
  const placed = await order(server, orderInput(group, await aGuest(server), { buyerEmail }));
  const { orderNo } = placed.json as { orderNo: string };
  const back = await decide(await goToTheBank(server, orderNo), 'wrong-amount');
  expect((await fetch(back, { redirect: 'manual' })).headers.get('location')).toContain('code=REVIEW');
  return { orderNo, ...group };
}

describe('the review of an order whose amount does not match', () => {
  it('accepted: the payment counts, the buyer gets tickets and mail, and the log has the decision and its reason', async () => {
    const buyerEmail = 'accepted@example.test';
    const { orderNo, ticketGroupId } = await withAnotherAmount(buyerEmail);

    const resolved = await ask(server, admin, RESOLVE, resolve(orderNo, 'ACCEPTED'));
    expect(resolved).toMatchObject({ transactionStatus: 'SUCCESS', reviewReason: 'AMOUNT_MISMATCH' });
    expect(resolved.reviewResolvedAt).toEqual(expect.any(String));
    const { tickets, logs } = await stateOf(orderNo);
    expect(tickets).toHaveLength(1);
    expect(logs).toContainEqual({
      performedBy: expect.stringMatching(/^staff /),
      type: 'admin',
      title: 'Review: payment accepted',
      message: 'Spoke with the bank',
    });
    const { json } = await send(server, 'GET', '/api/notifications', { headers: admin.headers });
    expect(json.data.map(({ title }: { title: string }) => title)).toContain('Review resolved');
    await until('the mail', async () => (await mailsTo(server, buyerEmail)).length === 1);
    expect(await reservedOn(ticketGroupId)).toBe(1);
  });

  it('refunded: the order fails, its places are released, and there are no tickets', async () => {
    const { orderNo, ticketGroupId } = await withAnotherAmount();

    expect(await ask(server, admin, RESOLVE, resolve(orderNo, 'REFUND_NOTED'))).toMatchObject({
      transactionStatus: 'FAILED',
    });
    expect((await stateOf(orderNo)).tickets).toEqual([]);
    expect(await reservedOn(ticketGroupId)).toBe(0);
    const { text } = await send(server, 'GET', `/payment/success?orderNo=${orderNo}`);
    expect(text).toContain('Your payment goes back to you');
  });

  it('is decided exactly once, when many decide at the same time', async () => {
    const { orderNo, ticketGroupId } = await withAnotherAmount();
    const decisions = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        refusalOf(server, admin, RESOLVE, resolve(orderNo, index % 2 ? 'ACCEPTED' : 'REFUND_NOTED')),
      ),
    );

    expect(decisions.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(decisions.filter((refusal) => refusal === 'REVIEW_NOT_OPEN')).toHaveLength(7);
    const { transactionStatus, tickets, logs } = await stateOf(orderNo);
    expect(logs.filter(({ type }: { type: string }) => type === 'admin')).toHaveLength(1);
    expect(tickets).toHaveLength(transactionStatus === 'SUCCESS' ? 1 : 0);
    expect(await reservedOn(ticketGroupId)).toBe(transactionStatus === 'SUCCESS' ? 1 : 0);
  });

  it('needs payments:manage, a reason, and an open review', async () => {
    const { orderNo } = await withAnotherAmount();
    const clerk = await organization.join('reviewer');

    expect(await refusalOf(server, organization.admin, RESOLVE, resolve(orderNo, 'ACCEPTED'))).toBe('ORDER_NOT_FOUND');
    expect(await refusalOf(server, clerk, RESOLVE, resolve(orderNo, 'ACCEPTED'))).toBe('ORDER_NOT_FOUND');
    expect(await refusalOf(server, nobody, RESOLVE, resolve(orderNo, 'ACCEPTED'))).toBe('UNAUTHENTICATED');
    expect(await refusalOf(server, admin, RESOLVE, resolve(orderNo, 'ACCEPTED', '  '))).toBe('VALIDATION_FAILED');
    expect((await stateOf(orderNo)).reviewResolvedAt).toBeNull();
    expect((await stateOf(orderNo)).payments[0]).toEqual({ amount: 22.5, outcome: 'REVIEW' });

    const plain = await order(server, orderInput(await onSale(server, admin), await aGuest(server)));
    expect(await refusalOf(server, admin, RESOLVE, resolve(plain.json.orderNo, 'ACCEPTED'))).toBe('REVIEW_NOT_OPEN');
  });
});

/** A paid order whose confirmation has arrived. */
async function paid(buyerEmail: string) {
  const group = await onSale(server, admin);
  const { json } = await order(server, orderInput(group, await aGuest(server), { buyerEmail }));
  await payAtTheBank(server, json.orderNo);
  await until('the confirmation', async () => (await mailsTo(server, buyerEmail)).length === 1);
  return json.orderNo as string;
}

describe('tickets are mailed once more', () => {
  it('to the buyer’s own address, for the buyer and for staff, and no more than three times an hour', async () => {
    const buyerEmail = 'again@example.test';
    const orderNo = await paid(buyerEmail);
    await until('isEmailSent', async () => (await stateOf(orderNo)).isEmailSent);

    expect(await ask(server, nobody, RESEND, { orderNo, email: 'AGAIN@example.test' })).toEqual({ isEmailSent: true });
    await ask(server, admin, RESEND, { orderNo });
    const refusals = await Promise.all(
      Array.from({ length: 4 }, () => refusalOf(server, nobody, RESEND, { orderNo, email: buyerEmail })),
    );
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(refusals.filter((refusal) => refusal === 'RATE_LIMITED')).toHaveLength(3);

    const mails = await until('three more mails', async () => {
      const all = await mailsTo(server, buyerEmail);
      return all.length >= 4 && all;
    });
    expect(mails).toHaveLength(4);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(4);
    for (const { attachments } of mails) expect(attachments?.[0]?.contentType).toBe('application/pdf');
    expect((await stateOf(orderNo)).isEmailSent).toBe(true);
  });

  it('not for strangers, not for staff of others, and not before an order is paid', async () => {
    const group = await onSale(server, admin);
    const { json } = await order(server, orderInput(group, await aGuest(server)));
    const { orderNo } = json as { orderNo: string };

    expect(await refusalOf(server, nobody, RESEND, { orderNo })).toBe('ORDER_NOT_FOUND');
    expect(await refusalOf(server, nobody, RESEND, { orderNo, email: 'x@example.test' })).toBe('ORDER_NOT_FOUND');
    expect(await refusalOf(server, organization.admin, RESEND, { orderNo })).toBe('ORDER_NOT_FOUND');
    expect(await refusalOf(server, admin, RESEND, { orderNo })).toBe('ORDER_NOT_PAID');
  });
});
