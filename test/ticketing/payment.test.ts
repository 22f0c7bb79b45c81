import { createHash } from 'node:crypto';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { decide, formOf, goToTheBank, payAtTheBank, placeOrder, submit } from '../support/servers/bank.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { orderWithAll } from '../support/servers/crash-fixture.ts';

let server: SharedServer;
let db: PrismaClient;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
});
afterAll(() => db.$disconnect());

const anOrder = async (more: object = {}) => placeOrder(server, await logInCustomer(server), more);
const process = (fields: Record<string, string>) => submit(new URL('/payment/process', server.url), fields);
const visit = (path: string) => fetch(new URL(path, server.url), { redirect: 'manual' });
const generateToken = async () => (await send(server, 'POST', '/payment/generateToken')).json.token as string;
const statusOf = async (orderNo: string) => (await orderWithAll(db, orderNo)).transactionStatus;

describe('POST /payment/process', () => {
  it('answers with a page that posts itself to the gateway, and may do nothing else', async () => {
    const { orderNo, billId } = await anOrder({ buyerName: '"><script>alert(1)</script>' });

    const page = await process({ orderNo });

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    const { action, fields } = formOf(page.text);
    expect(policy).toContain(`form-action ${new URL(action).origin};`);
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(page.text).toContain(`<script nonce="${nonce}">`);
    expect(page.text.match(/<script/g)).toHaveLength(1);
    expect(page.text).toMatch(/<noscript>.*press the button.*<button>/s);
    expect(Object.keys(fields).toSorted().join(' ')).toBe(
      'agToken bankCode billId buyerEmail buyerName checksum currency msgToken orderNo productDesc productId ' +
        'redirectUrl timestamp token totalAmount transactionId',
    );
    expect(fields).toMatchObject({
      billId,
      currency: 'MYR',
      msgToken: '01',
      buyerName: '"><script>alert(1)</script>',
      timestamp: expect.stringMatching(/^\d{14}$/),
      totalAmount: expect.stringMatching(/^\d+\.\d\d$/),
      checksum: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    expect(await orderWithAll(db, orderNo)).toMatchObject({ transactionStatus: 'PENDING', attempts: [{}] });
  });

  it('accepts only the form of a page, not JSON', async () => {
    const { orderNo } = await anOrder();

    const { status } = await send(server, 'POST', '/payment/process', { body: { orderNo } });

    expect(status).toBe(415);
    expect(await statusOf(orderNo)).toBe('INITIATED');
  });

  it.each([
    ['totalAmount', '1.00'],
    ['totalAmount', '-1'],
    ['currency', 'SGD'],
    ['billId', 'BILL-OF-SOMEBODY-ELSE'],
    ['productId', 'TG999999'],
    ['transactionId', '00000000-0000-4000-8000-000000000000'],
    ['msgToken', '03'],
    ['mode', 'both'],
    ['buyerName', 'Somebody Else'],
    ['buyerEmail', 'else@example.test'],
    ['productDesc', 'Something cheaper'],
    ['bankCode', '"><script>'],
  ])('refuses a form whose %s was edited to %s with a page and 409', async (field, value) => {
    const { orderNo } = await anOrder();

    const page = await process({ orderNo, [field]: value });

    expect([page.status, page.headers.get('content-type')]).toEqual([409, 'text/html; charset=utf-8']);
    expect(page.text).toContain('does not agree with the order');
    expect(await orderWithAll(db, orderNo)).toMatchObject({ transactionStatus: 'INITIATED', attempts: [] });
  });

  it('accepts a form that repeats the order as the client sent it, with empty fields', async () => {
    const said = { buyerName: ' Siti binti Ali ', productDesc: ' Two tickets  ' };
    const order = await anOrder(said);
    const unsaid = await anOrder({ productDesc: '' });

    const page = await process({
      ...said,
      orderNo: order.orderNo,
      billId: ` ${order.billId}`,
      totalAmount: String(order.totalAmount),
      buyerEmail: 'Siti@Example.test',
    });
    const blank = await process({
      orderNo: unsaid.orderNo,
      productDesc: '',
      billId: '',
      totalAmount: '',
      msgToken: '',
      bankCode: '',
      token: '',
    });

    expect([page.status, blank.status]).toEqual([200, 200]);
  });

  it('goes to the banks that the form names: mode=corporate makes it a company’s payment', async () => {
    const { orderNo } = await anOrder();

    const page = await process({ orderNo, mode: 'corporate', msgToken: '01' });

    expect(formOf(page.text).fields).toMatchObject({ msgToken: '02' });
    expect(await orderWithAll(db, orderNo)).toMatchObject({ msgToken: '02', transactionStatus: 'PENDING' });
  });

  it.each([
    ['an amount that is none', { totalAmount: 'much' }, 400],
    ['no order', { orderNo: '' }, 400],
    ['an order that does not exist', { orderNo: "ORD-20261121-' OR 1=1" }, 404],
  ])('answers %s with a page', async (_what, fields, status) => {
    const page = await process({ orderNo: (await anOrder()).orderNo, ...fields });

    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });

  it('accepts a PENDING order again, when the buyer went back, but not a settled or an expired one', async () => {
    const [again, failed, late] = [await anOrder(), await anOrder(), await anOrder()];
    await goToTheBank(server, again.orderNo);
    await decideThere(failed.orderNo, 'reject');
    await db.orderTicketGroup.update({ where: { orderNo: late.orderNo }, data: { holdExpiresAt: new Date() } });

    expect((await process({ orderNo: again.orderNo })).status).toBe(200);
    expect((await orderWithAll(db, again.orderNo)).attempts).toHaveLength(2);
    await payAtTheBank(server, again.orderNo);

    expect((await process({ orderNo: again.orderNo })).status).toBe(409);
    expect((await process({ orderNo: failed.orderNo })).status).toBe(409);
    expect((await process({ orderNo: late.orderNo })).status).toBe(409);
  });
});

describe('POST /payment/generateToken', () => {
  it('gives a random key for one form, of which only the hash is kept', async () => {
    const token = await generateToken();

    expect(token).toMatch(/^[\w-]{43}$/);
    const kept = await db.paymentToken.findMany();
    expect(kept.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
    expect(kept.some(({ tokenHash }) => Buffer.from(tokenHash).toString('base64url') === token)).toBe(false);
  });

  it('can be used once, and by one of many that try at the same moment', async () => {
    const token = await generateToken();
    const orders = await Promise.all(Array.from({ length: 8 }, () => anOrder()));

    const pages = await Promise.all(orders.map(({ orderNo }) => process({ orderNo, token })));

    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(pages.filter(({ status }) => status === 409)).toHaveLength(7);
    const states = await Promise.all(orders.map(({ orderNo }) => statusOf(orderNo)));
    expect(states.filter((state) => state === 'PENDING')).toHaveLength(1);
  });

  it('is valid for ten minutes', async () => {
    const [token, { orderNo }] = [await generateToken(), await anOrder()];
    const where = { tokenHash: new Uint8Array(createHash('sha256').update(token).digest()) };
    const { expiresAt, createdAt } = await db.paymentToken.findUniqueOrThrow({ where });
    expect(Math.round((Number(expiresAt) - Number(createdAt)) / 60_000)).toBe(10);
    await db.paymentToken.updateMany({ where, data: { expiresAt: new Date() } });

    expect((await process({ orderNo, token })).status).toBe(409);
    expect((await process({ orderNo, token: 'guessed' })).status).toBe(409);
    expect(await statusOf(orderNo)).toBe('INITIATED');
  });
});

describe('POST /payment/bankList', () => {
  const bankList = (body: object) => send(server, 'POST', '/payment/bankList', { body });

  it('lists the banks of individuals and of companies, under either name of the mode', async () => {
    const [people, companies] = [await bankList({ mode: 'individual' }), await bankList({ mode: 'corporate' })];

    expect(people.json).toEqual({ success: true, banks: expect.any(Array) });
    expect(people.json.banks).toContainEqual({ bankCode: 'SIM0001', bankName: 'Simulated Bank A' });
    expect(people.json.banks.length).toBeGreaterThanOrEqual(10);
    expect(companies.json.banks.length).toBeGreaterThanOrEqual(10);
    const codesOf = ({ json }: typeof people) => json.banks.map(({ bankCode }: { bankCode: string }) => bankCode);
    expect(new Set([...codesOf(people), ...codesOf(companies)]).size).toBe(
      people.json.banks.length + companies.json.banks.length,
    );
    expect((await bankList({ mode: '01' })).json).toEqual(people.json);
    expect((await bankList({ mode: '02' })).json).toEqual(companies.json);
  });

  it.each([{ mode: 'both' }, { mode: '' }, { mode: 1 }, {}])('refuses %j', async (body) => {
    expect((await bankList(body)).status).toBe(400);
  });
});

describe('GET /payment/return', () => {
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

  it.each([
    ['nothing', ''],
    ['an injection', encodeURIComponent("' OR 1=1--")],
    ['an unsigned token', `${none}.${Buffer.from('{"statusCode":"00"}').toString('base64url')}.`],
    ['what is too long to be read', 'A'.repeat(9_000)],
  ])('sends %s to the failure page, and changes no order', async (_what, payload) => {
    const { orderNo } = await anOrder();
    await goToTheBank(server, orderNo);
    const ofNobody = () => db.paymentEvent.findMany({ where: { orderTicketGroupId: null } });
    const before = await ofNobody();

    const response = await visit(`/payment/return?payload=${payload}`);

    expect([response.status, response.headers.get('location')]).toEqual([302, '/payment/failure?code=INVALID_PAYLOAD']);
    expect(await orderWithAll(db, orderNo)).toMatchObject({ transactionStatus: 'PENDING', events: [] });
    expect(await ofNobody()).toEqual(before);
  });

  it('sends a payload with one changed character to the failure page, and logs it', async () => {
    const { orderNo } = await anOrder();
    const back = await decideThere(orderNo, 'tampered');

    expect(back.headers.get('location')).toBe('/payment/failure?code=INVALID_PAYLOAD');
    expect(await orderWithAll(db, orderNo)).toMatchObject({ transactionStatus: 'PENDING', events: [] });
    const lines = (await server.printed()).split('\n');
    const ours = lines.filter((line) => line.includes(back.headers.get('x-request-id') ?? '?'));
    expect(ours.join('\n')).toContain('payment return refused');
  });

  it('counts a payload once, however often it is replayed', async () => {
    const { orderNo } = await anOrder();
    const back = await decide(await goToTheBank(server, orderNo), 'approve');

    for (let time = 0; time < 3; time++) {
      expect((await fetch(back, { redirect: 'manual' })).headers.get('location')).toBe(
        `/payment/success?orderNo=${orderNo}`,
      );
    }

    const { tickets, deliveries, logs } = await orderWithAll(db, orderNo);
    expect([tickets.length, deliveries.length]).toEqual([2, 1]);
    expect(logs.filter(({ title }) => title === 'Payment received')).toHaveLength(1);
  });
});

describe('GET /payment/decrypt', () => {
  it('shows the content of a payload and changes nothing; an invalid one is refused', async () => {
    const { orderNo, billId } = await anOrder();
    const back = await decide(await goToTheBank(server, orderNo), 'reject');

    const { json } = await send(server, 'GET', `/payment/decrypt${back.search}`);

    expect(json).toMatchObject({ v: 1, orderNo, billId, statusCode: '51', currency: 'MYR' });
    expect((await send(server, 'GET', '/payment/decrypt?payload=forged')).json).toMatchObject({
      success: false,
      code: 'INVALID_PAYLOAD',
    });
  });
});

/** Decides at the bank as a person does, and comes back. */
const decideThere = async (orderNo: string, outcome: string) =>
  fetch(await decide(await goToTheBank(server, orderNo), outcome), { redirect: 'manual' });
