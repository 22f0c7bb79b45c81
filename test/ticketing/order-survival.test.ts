import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { decide, goToTheBank, placeOrder, somethingOnSale, submit } from '../support/servers/bank.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { acmeAdmin, onSale, orderInput } from '../support/fixtures/storefront.ts';
import { startCrashFixture, orderWithAll, unevenDays, type CrashFixture } from '../support/servers/crash-fixture.ts';
import { until } from '../support/until.ts';

let fixture: CrashFixture;

beforeAll(async () => {
  fixture = await startCrashFixture({ PAYMENT_REQUERY_SECONDS: '2,3,4,5,6,7,8,9,10,12,14,16,18,20,25,30' });
});
afterAll(() => fixture?.close());

let count = 0;
const anOrder = async (more: object = {}) => {
  const buyerEmail = `buyer-${(count += 1)}@example.test`;
  const customer = await logInCustomer(fixture.server);
  return { ...(await placeOrder(fixture.server, customer, { buyerEmail, ...more })), buyerEmail };
};
const comeBack = (back: URL) => fetch(back, { redirect: 'manual', signal: AbortSignal.timeout(20_000) });
const process = (orderNo: string) => submit(new URL('/payment/process', fixture.server.url), { orderNo });

describe('kill -9', () => {
  it('while an order is stored: it is stored completely or not at all, and a repetition orders once', async () => {
    const customer = await logInCustomer(fixture.server);
    const { ticketGroupId, variant, admitDate } = await somethingOnSale(fixture.server);
    const buyerEmail = 'repeated@example.test';
    const items = [{ itemId: variant.itemId, unitPrice: variant.unitPrice, quantityBought: 2 }];
    const body = { ticketGroupId, admitDate, items, buyerEmail, buyerName: 'Siti', custId: customer.custId };
    const headers = { ...customer.headers, 'idempotency-key': 'the same wish' };
    const order = () => send(fixture.server, 'POST', '/api/orderTicketGroup', { headers, body });

    await fixture.killBefore('LOCK TABLE ticketing.order_ticket_log IN EXCLUSIVE MODE', order);
    const again = await order();

    expect(again.status).toBe(200);
    const orders = await fixture.db.orderTicketGroup.findMany({ where: { buyerEmail }, include: { items: true } });
    expect(orders.map(({ orderNo, items: { length } }) => [orderNo, length])).toEqual([[again.json.orderNo, 1]]);
    expect(await unevenDays(fixture.db)).toEqual([]);
  });

  it('while a free order is stored, before it has its tickets: nothing of it is done, and a repetition orders once', async () => {
    const staff = await acmeAdmin(fixture.server);
    const sale = await onSale(fixture.server, staff, { variant: { unitPriceSen: 0 } });
    const buyerEmail = 'free@example.test';
    const { custId: _new, ...input } = orderInput(sale, '', { buyerEmail });
    const body = { ...input, ticketGroupId: Number(input.ticketGroupId) };
    const headers = { 'idempotency-key': 'the same free wish' };
    const order = () => send(fixture.server, 'POST', '/api/orderTicketGroup/free', { headers, body });

    await fixture.killBefore('LOCK TABLE ticketing.ticket IN EXCLUSIVE MODE', order);
    const where = { buyerEmail };
    expect(await fixture.db.orderTicketGroup.count({ where })).toBe(0);
    const [again, repeated] = [await order(), await order()];

    expect([again.status, repeated.json.orderNo]).toEqual([200, again.json.orderNo]);
    const orders = await fixture.db.orderTicketGroup.findMany({ where, include: { tickets: true, deliveries: true } });
    expect(orders.map(({ orderNo, tickets, deliveries }) => [orderNo, tickets.length, deliveries.length])).toEqual([
      [again.json.orderNo, 1, 1],
    ]);
    expect(await unevenDays(fixture.db)).toEqual([]);
  });

  it('while the form for the bank is made: the order waits for its payment as before', async () => {
    const { orderNo } = await anOrder();

    await fixture.killBefore('LOCK TABLE ticketing.payment_attempt IN EXCLUSIVE MODE', () => process(orderNo));

    expect(await orderWithAll(fixture.db, orderNo)).toMatchObject({ transactionStatus: 'INITIATED', attempts: [] });
    await comeBack(await decide(await goToTheBank(fixture.server, orderNo), 'approve'));
    expect((await orderWithAll(fixture.db, orderNo)).transactionStatus).toBe('SUCCESS');
  });

  it.each(['payment_event', 'order_ticket_group', 'ticket', 'delivery', 'order_ticket_log', 'notification'])(
    'while a payment is settled, before it changes %s: nothing of it is done, and the next attempt does all of it',
    async (table) => {
      const { orderNo, buyerEmail } = await anOrder();
      // Only the browser brings the result: no copy from server to server, and the gateway can't be queried.
      const back = await decideAlone(orderNo);
      await fixture.bank.shut();
      const lock = `LOCK TABLE ticketing.${table} IN ${table === 'order_ticket_group' ? 'SHARE' : 'EXCLUSIVE'} MODE`;

      await fixture.killBefore(lock, () => comeBack(back));

      expect(await orderWithAll(fixture.db, orderNo)).toMatchObject({
        transactionStatus: 'PENDING',
        events: [],
        tickets: [],
        deliveries: [],
      });
      expect((await comeBack(back)).headers.get('location')).toBe(`/payment/success?orderNo=${orderNo}`);
      const order = await orderWithAll(fixture.db, orderNo);
      expect([order.events.length, order.tickets.length, order.deliveries.length]).toEqual([1, 2, 1]);
      await until('the mail', async () => (await fixture.mailsTo(buyerEmail)).length > 0, { timeoutMs: 60_000 });
      expect(await fixture.mailsTo(buyerEmail)).toHaveLength(1);
      await fixture.bank.open();
    },
  );

  it('before anybody reported the payment: the gateway is queried, though it is down at first', async () => {
    const { orderNo, buyerEmail } = await anOrder();
    await decideAlone(orderNo, 'timeout');
    await fixture.bank.shut();
    await fixture.killAndRestart();
    await until('a question without an answer', async () =>
      fixture.server.printed().includes('the gateway did not answer'),
    );
    expect((await orderWithAll(fixture.db, orderNo)).transactionStatus).toBe('PENDING');

    await fixture.bank.open();

    await until('the payment', async () => (await orderWithAll(fixture.db, orderNo)).transactionStatus === 'SUCCESS', {
      timeoutMs: 60_000,
    });
    await until('the mail', async () => (await orderWithAll(fixture.db, orderNo)).isEmailSent);
    expect(await fixture.mailsTo(buyerEmail)).toHaveLength(1);
  });

  it('leaves every day with the sum of its orders', async () => {
    expect(await unevenDays(fixture.db)).toEqual([]);
  });
});

describe('the event of a payment', () => {
  it('counts once when it comes twenty times at the same moment', async () => {
    const { orderNo, buyerEmail } = await anOrder();
    const back = await decideAlone(orderNo);

    const landings = await Promise.all(Array.from({ length: 20 }, () => comeBack(back)));

    expect(new Set(landings.map(({ headers }) => headers.get('location')))).toEqual(
      new Set([`/payment/success?orderNo=${orderNo}`]),
    );
    const order = await orderWithAll(fixture.db, orderNo);
    const settled = order.logs.filter(({ title }) => title === 'Payment received');
    expect([settled.length, order.events.length, order.tickets.length, order.deliveries.length]).toEqual([1, 1, 2, 1]);
    await until('isEmailSent', async () => (await orderWithAll(fixture.db, orderNo)).isEmailSent);
    expect(await fixture.mailsTo(buyerEmail)).toHaveLength(1);
  });
});

describe('the list of banks', () => {
  it('is the last known one while the gateway is down', async () => {
    const bankList = () => send(fixture.server, 'POST', '/payment/bankList', { body: { mode: 'individual' } });
    const { json } = await bankList();
    expect(json).toEqual({ success: true, banks: expect.any(Array) });
    await fixture.bank.shut();

    expect((await bankList()).json).toEqual(json);
    await fixture.bank.open();
  });
});

/** Decides at the bank, headless; no copy goes from server to server. Returns what the browser would bring. */
async function decideAlone(orderNo: string, outcome = 'approve'): Promise<URL> {
  const { address } = await goToTheBank(fixture.server, orderNo);
  const response = await fetch(new URL('/decide', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderNo, outcome, repeat: 0 }),
  });
  const { redirect } = (await response.json()) as { redirect: string | null };
  return new URL(redirect ?? 'about:blank');
}
