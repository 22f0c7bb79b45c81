import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../support/servers/inbox.ts';
import { graphql, send, logIn, logInCustomer } from '../support/fixtures/people.ts';
import { acmeAdmin, aGuest, ask, day, nobody, onSale, order, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

const OURS = 'BAD-INPUT-ADULT';
let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let group: Awaited<ReturnType<typeof onSale>>;
let custId: string;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  group = await onSale(server, admin, { itemId: OURS, group: { orderTicketLimit: 10 } });
  custId = await aGuest(server);
});

const DAYS = `query ($id: ID!, $from: Date!, $to: Date!) { dailyCapacities(ticketGroupId: $id, from: $from, to: $to) { reserved } }`;
const COUNT = `query ($filter: OrderFilter) { orders(filter: $filter, first: 1) { totalCount } }`;

/** How many places are reserved on all days, and how many orders there are. */
async function taken() {
  const id = group.ticketGroupId;
  const days = await ask(server, admin, DAYS, { id, from: day(0), to: day(90) });
  const { totalCount } = await ask(server, admin, COUNT, { filter: { ticketGroupId: id } });
  return { reserved: days.reduce((sum: number, { reserved }: { reserved: number }) => sum + reserved, 0), totalCount };
}
const item = (differently: object = {}) => ({ itemId: OURS, quantityBought: 1, ...differently });

describe('a request without what it needs', () => {
  it.each<[string, string, object | undefined, string]>([
    ['POST', '/api/orderTicketGroup', {}, 'ticketGroupId is missing.'],
    ['GET', '/api/orderTicketGroup', undefined, 'The input must have orderNo, transactionId or orderTicketGroupId.'],
    ['GET', '/api/customer/profile', undefined, 'custId is missing.'],
    ['GET', '/api/orderNonMemberInquiry', undefined, 'orderNo is missing.'],
    ['POST', '/api/advertisingTickets', {}, 'advertisementType is missing.'],
    ['PUT', '/api/notification', { notificationId: 1 }, 'isRead or isDeleted must be true.'],
    ['POST', '/payment/bankList', {}, 'mode is missing.'],
    ['GET', '/payment/decrypt', undefined, 'payload is missing.'],
    ['GET', '/pdf/receipt', undefined, 'orderNo is missing.'],
  ])('is told: %s %s', async (method, path, body, message) => {
    const { status, json } = await send(server, method, path, { headers: admin.headers, ...(body && { body }) });

    expect([status, json]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_FAILED', message })]);
  });
});

describe('a tampered order gets a documented 4xx: no order, no ticket, no capacity lost', () => {
  it.each<[string, object]>([
    ['a lower price', { items: [item({ unitPrice: 0.01 })] }],
    ['a negative price', { items: [item({ unitPrice: -45 })] }],
    ['a price of a thousandth', { items: [item({ unitPrice: 45.001 })] }],
    ['a price in words', { items: [item({ unitPrice: 'RM45' })] }],
    ['a quantity of 0', { items: [item({ quantityBought: 0 })] }],
    ['a negative quantity', { items: [item({ quantityBought: -5 })] }],
    ['one that takes away from another', { items: [item({ quantityBought: 3 }), item({ quantityBought: -2 })] }],
    ['a fraction', { items: [item({ quantityBought: 1.5 })] }],
    ['a huge quantity', { items: [item({ quantityBought: 2_147_483_648 })] }],
    ['an endless quantity', { items: [item({ quantityBought: 1e308 })] }],
    ['a quantity in another spelling', { items: [item({ quantityBought: '01' })] }],
    ['a quantity in words', { items: [item({ quantityBought: 'one' })] }],
    ['a quantity as a list', { items: [item({ quantityBought: [1] })] }],
    ['no quantity', { items: [{ itemId: 'X' }] }],
    ['no items', { items: [] }],
    ['items that are no list', { items: { 0: {} } }],
    ['thousands of items', { items: Array.from({ length: 5_000 }, () => item()) }],
    ['an item of another group', { items: [item({ itemId: 'MUSEUM-ADULT' })] }],
    ['an item with a NUL', { items: [item({ itemId: 'A\0B' })] }],
    ['an unreal date', { admitDate: '2027-02-30' }],
    ['a date with SQL in it', { admitDate: "2027-01-01' OR 1=1--" }],
    ['a date of last year', { admitDate: '2020-01-01' }],
    ['the year 9999', { admitDate: '9999-12-31' }],
    ['no date', { admitDate: null }],
    ['a group that is none', { ticketGroupId: '-1' }],
    ['a group beyond all numbers', { ticketGroupId: '99999999999999999999' }],
    ['a customer that is none', { custId: "' OR 1=1--" }],
    ['a customer nobody knows', { custId: '00000000-0000-4000-8000-000000000000' }],
    ['an empty name', { buyerName: '   ' }],
    ['a name with line breaks', { buyerName: 'Siti\r\nBcc: all@example.test' }],
    ['an endless name', { buyerName: 'x'.repeat(121) }],
    ['an e-mail that is none', { buyerEmail: 'nobody' }],
    ['two e-mails', { buyerEmail: 'a@example.test,b@example.test' }],
    ['an e-mail with a header', { buyerEmail: 'a@example.test\r\nBcc: b@example.test' }],
    ['a language without end', { langChosen: 'x'.repeat(36) }],
    ['a language with a NUL', { langChosen: 'e\0n' }],
    ['a mode of payment that is none', { mode: 'cash' }],
  ])('%s', async (_what, differently) => {
    const before = await taken();
    const input = orderInput(group, custId, differently);

    const rest = await send(server, 'POST', '/api/orderTicketGroup', { body: input });
    expect(rest.status).toBeGreaterThanOrEqual(400);
    expect(rest.status).toBeLessThan(500);
    expect(rest.json).toMatchObject({ success: false, code: expect.any(String), message: expect.any(String) });

    const create = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { orderNo } }`;
    const { data, errors } = await graphql(server, create, { input });
    expect(errors[0].extensions.code).not.toBe('INTERNAL_SERVER_ERROR');
    expect(data?.createOrder ?? null).toBeNull();
    expect(await taken()).toEqual(before);
  });

  it('a total of the client’s own is ignored: the catalogue decides', async () => {
    const { json } = await order(server, orderInput(group, custId, { totalAmount: 0.01, amount: 0.01 }));
    expect(json.totalAmount).toBe(45);
  });
});

describe('the error of an order', () => {
  const refusedFor = async (differently: object) => {
    const body = { ...orderInput(group, custId), ...differently };
    const { status, json } = await send(server, 'POST', '/api/orderTicketGroup', { body });
    return { status, message: json.message, errors: json.errors };
  };

  it.each([null, undefined])('names the missing ticket group, when it is %s', async (ticketGroupId) => {
    expect(await refusedFor({ ticketGroupId })).toEqual({
      status: 400,
      message: 'ticketGroupId is missing.',
      errors: [{ path: 'ticketGroupId', message: 'is missing' }],
    });
  });

  it('names the field as the client named it, and the line', async () => {
    const items = [item({ unitPrice: 45 }), item({ unitPrice: 45.001 })];
    expect(await refusedFor({ items })).toMatchObject({ status: 400, errors: [{ path: 'items.1.unitPrice' }] });
  });

  it('omits the name of the argument in GraphQL, too', async () => {
    const create = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { orderNo } }`;
    const { errors } = await graphql(server, create, { input: orderInput({ ...group, ticketGroupId: '{7}' }, custId) });
    expect(errors[0].extensions.errors).toMatchObject([{ path: 'ticketGroupId' }]);
  });
});

describe('a language', () => {
  it.each(['tlh', 'Bahasa Sarawak', 'zh-Hant-TW'])(
    'without tickets in it is kept as it was sent, and English is printed: %s',
    async (langChosen) => {
      const { status, json } = await order(server, orderInput(group, custId, { langChosen }));
      expect(status).toBe(200);
      const query = new URLSearchParams({ orderNo: json.orderNo, email: 'guest@example.test' });
      const found = await send(server, 'GET', `/api/orderNonMemberInquiry?${query}`);
      expect(found.json.langChosen).toBe(langChosen);
      const printed = `query ($orderNo: String) { order(orderNo: $orderNo) { langChosen langSent } }`;
      expect(await ask(server, admin, printed, { orderNo: json.orderNo })).toEqual({
        langChosen: 'en',
        langSent: langChosen,
      });
    },
  );
});

describe('a name with HTML in it', () => {
  it('is escaped wherever it is shown: in the mail, on the pages, in the form to the bank', async () => {
    const name = `<img src=x onerror="alert(1)"> & 'Siti'`;
    const buyerEmail = 'markup@example.test';
    const free = await onSale(server, admin, { variant: { unitPriceSen: 0 } });
    const placed = await order(server, orderInput(free, custId, { buyerName: name, buyerEmail }), '/free');
    expect(placed.status).toBe(200);

    const [mail] = await until('the mail', async () => {
      const mails = await mailsTo(server, buyerEmail);
      return mails.length > 0 && mails;
    });
    expect(mail?.html).not.toContain('<img src=x');
    expect(mail?.text).toContain(name);

    const paid = await order(server, orderInput(group, custId, { buyerName: name }));
    const page = await fetch(new URL('/payment/process', server.url), {
      method: 'POST',
      body: new URLSearchParams({ orderNo: paid.json.orderNo }),
    });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;img src=x');
  });
});

describe('wildcards and injections in filters', () => {
  const managed = (query: Record<string, string>) =>
    send(server, 'GET', `/api/orderTicketGroups/management?${new URLSearchParams(query)}`, { headers: admin.headers });

  it.each(['%', '_', '%%%', String.raw`\%`, String.raw`\ `, "' OR '1'='1", '"; DROP TABLE x; --', '[a-z]', '.*'])(
    '%j finds only this text',
    async (query) => {
      await order(server, orderInput(group, custId));
      const { status, json } = await managed({ query, ticketGroupId: group.ticketGroupId });
      expect([status, json.data]).toEqual([200, []]);
    },
  );

  it.each([
    { status: 'PAID' },
    { status: "SUCCESS' OR 1=1" },
    { startDate: '2026-02-30' },
    { startDate: '2026-03-02', endDate: '2026-03-01' },
    { ticketGroupId: '1 OR 1=1' },
    { page: '0' },
    { page: '-1' },
    { limit: '0' },
    { limit: '101' },
    { limit: 'all' },
    { query: 'x'.repeat(201) },
  ])('%j is refused', async (query) => {
    const { status, json } = await managed(query);
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    "/api/orderNonMemberInquiry?orderNo=' OR 1=1--&email=a@example.test",
    '/api/orderNonMemberInquiry?orderNo=%25&email=%25%25%25',
    '/api/orderTicketGroup?orderNo=%00',
    '/api/orderTicketGroup?orderTicketGroupId=1e3',
    "/api/orderTicketGroup?transactionId=' OR 1=1--",
    "/api/customer/profile?custId=' OR 1=1--",
    '/api/orderTicketGroup?orderNo[]=a',
  ])('%s reveals nothing', async (path) => {
    const { status, json } = await send(server, 'GET', path);
    expect([400, 404]).toContain(status);
    expect(json).toMatchObject({ success: false, code: expect.any(String) });
  });
});

describe('a caller without the right', () => {
  it('a foreign organization in the header gives a token of another no rights', async () => {
    const headers = { ...admin.headers, 'x-organization-id': '0b0c0000-0000-4000-8000-000000000009' };
    for (const [method, path, body] of [
      ['GET', '/api/v1/campaigns', undefined],
      [
        'POST',
        '/api/v1/campaigns',
        { name: 'x', targetGroupId: custId, startDate: '2030-01-01T00:00:00Z', endDate: '2030-02-01T00:00:00Z' },
      ],
    ] as const) {
      const { status, json } = await send(server, method, path, { headers, ...(body && { body }) });
      expect([status, json.code]).toEqual([403, 'FORBIDDEN']);
    }
    const other = '0a0c0000-0000-4000-8000-000000000401';
    const changed = await send(server, 'DELETE', `/api/v1/campaigns/${other}`, { headers });
    expect([changed.status, changed.json.message]).toEqual([404, 'Campaign not found or permission denied']);
  });

  it('a CUSTOMER token opens no route of the staff', async () => {
    const { headers } = await logInCustomer(server);
    for (const [method, path] of [
      ['GET', '/api/orderTicketGroups/management'],
      ['POST', '/api/advertisingTickets'],
      ['GET', '/api/notifications'],
      ['PUT', '/api/notification'],
    ] as const) {
      const body = method === 'GET' ? undefined : { advertisementType: 'coupon', notificationId: 1, isRead: true };
      const { status, json } = await send(server, method, path, { headers, ...(body && { body }) });
      expect([path, status, json.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
    for (const query of [COUNT, 'mutation { exportOrders { url } }'])
      expect((await graphql(server, query, {}, headers)).errors[0].extensions.reason).toBe('FORBIDDEN');
  });

  it('nobody orders on a member’s account without their token, nor on another’s with their own', async () => {
    const member = await logInCustomer(server);
    expect((await order(server, orderInput(group, member.custId))).status).toBe(401);
    const byStaff = await send(server, 'POST', '/api/orderTicketGroup', {
      headers: admin.headers,
      body: { ...orderInput(group, member.custId), ticketGroupId: Number(group.ticketGroupId) },
    });
    expect([byStaff.status, byStaff.json.code]).toEqual([403, 'FORBIDDEN']);
    const stolen = await send(server, 'POST', '/api/orderTicketGroup', {
      headers: member.headers,
      body: { ...orderInput(group, custId), ticketGroupId: Number(group.ticketGroupId) },
    });
    expect(stolen.status).toBe(403);
    expect(await ask(server, nobody, `{ __typename }`)).toBe('Query');
  });
});
