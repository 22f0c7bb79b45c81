import { beforeAll, describe, expect, it } from 'vitest';

import { newCustomer } from '../support/fixtures/customers.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { graphql, send, logIn, logInCustomer } from '../support/fixtures/people.ts';
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
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let organization: OrganizationFixture;
let group: Awaited<ReturnType<typeof onSale>>;
let custId: string;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  organization = await createOrganization(server);
  group = await onSale(server, admin);
  custId = await aGuest(server);
});

const place = async (differently: object = {}, path = '', of = group) => {
  const { status, json } = await order(server, orderInput(of, custId, differently), path);
  expect(status).toBe(200);
  return json as { orderNo: string };
};
const managed = async (query: Record<string, string>, headers = admin.headers) => {
  const path = `/api/orderTicketGroups/management?${new URLSearchParams(query)}`;
  const { status, json } = await send(server, 'GET', path, { headers });
  expect(status).toBe(200);
  return json as { data: Record<string, unknown>[]; pagination: Record<string, number> };
};
const numbers = ({ data }: { data: Record<string, unknown>[] }) => data.map(({ orderNo }) => orderNo);

describe('the management list', () => {
  it('filters by ticket group, in pages, newest first', async () => {
    const of = await onSale(server, admin);
    const placed: string[] = [];
    for (let count = 0; count < 5; count++) placed.unshift((await place({}, '', of)).orderNo);
    const ticketGroupId = of.ticketGroupId;

    const second = await managed({ ticketGroupId, page: '2', limit: '2' });
    expect(numbers(second)).toEqual(placed.slice(2, 4));
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    expect(Object.keys(second.data[0] ?? {}).toSorted()).toEqual([
      'admitDate',
      'buyerEmail',
      'buyerName',
      'createdAt',
      'orderNo',
      'orderTicketGroupId',
      'totalAmount',
      'transactionStatus',
    ]);
    expect((await managed({ ticketGroupId })).pagination).toMatchObject({ page: 1, limit: 20 });
  });

  it('filters by words in number, name or e-mail, whatever their case; wildcards are escaped', async () => {
    const { orderNo } = await place({ buyerName: 'Zul 100%_sure', buyerEmail: 'zul+find@example.test' });

    for (const query of [orderNo.toLowerCase(), 'zul 100%_', 'ZUL+FIND@', '%_s'])
      expect(numbers(await managed({ query }))).toEqual([orderNo]);
    expect(numbers(await managed({ query: 'zul 100_%' }))).toEqual([]);
  });

  it('filters by status', async () => {
    const free = await onSale(server, admin, { variant: { unitPriceSen: 0 } });
    const { orderNo } = await place({}, '/free', free);
    const { ticketGroupId } = free;

    expect(numbers(await managed({ status: 'FREE', ticketGroupId }))).toEqual([orderNo]);
    for (const status of ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'])
      expect(numbers(await managed({ status, ticketGroupId }))).toEqual([]);
  });

  it('filters by the days on which orders were placed, both included, in Malaysia', async () => {
    const of = await onSale(server, admin);
    const { orderNo } = await place({}, '', of);
    const { ticketGroupId } = of;

    expect(numbers(await managed({ ticketGroupId, startDate: day(0), endDate: day(0) }))).toEqual([orderNo]);
    expect(numbers(await managed({ ticketGroupId, startDate: day(1) }))).toEqual([]);
    expect(numbers(await managed({ ticketGroupId, endDate: day(-1) }))).toEqual([]);
  });

  it('shows staff the orders of their own organization only', async () => {
    await place();
    expect(numbers(await managed({}, organization.admin.headers))).toEqual([]);
  });
});

describe('an order', () => {
  it('is listed for its own customer, and for no other', async () => {
    const member = await newCustomer(server);
    const mine = await send(server, 'POST', '/api/orderTicketGroup', {
      headers: member.headers,
      body: { ...orderInput(group, member.custId), ticketGroupId: Number(group.ticketGroupId) },
    });
    await place();

    const { json } = await send(server, 'GET', '/api/orderTicketGroups?limit=100', { headers: member.headers });
    expect(json.map(({ orderNo }: { orderNo: string }) => orderNo)).toContain(mine.json.orderNo);
    expect(json.every(({ buyerName }: { buyerName: string }) => buyerName === 'Guest Tan')).toBe(true);
    expect(json).toHaveLength(1);
    expect((await send(server, 'GET', '/api/orderTicketGroups')).status).toBe(401);
  });

  it('is found by a guest by number and e-mail, whatever its case; if either is wrong, the answer is the same 404', async () => {
    const { orderNo } = await place({ buyerEmail: 'Mei.Ling@Example.test' });
    const inquire = (no: string, email: string) =>
      send(server, 'GET', `/api/orderNonMemberInquiry?${new URLSearchParams({ orderNo: no, email })}`);

    const found = await inquire(orderNo, ' mei.LING@example.TEST ');
    expect([found.status, found.json.orderNo, found.json.items.length]).toEqual([200, orderNo, 1]);
    const [wrongMail, wrongNumber] = [
      await inquire(orderNo, 'other@example.test'),
      await inquire('ORD-20260101-AAAAAAAAAAAAA', 'mei.ling@example.test'),
    ];
    const words = ({ json }: { json: { code: string; message: string } }) => [json.code, json.message];
    expect([wrongMail.status, wrongNumber.status]).toEqual([404, 404]);
    expect(words(wrongMail)).toEqual(words(wrongNumber));
  });

  it('shows its log to staff, and to nobody else', async () => {
    const { orderNo } = await place();
    const query = `query ($orderNo: String!) { order(orderNo: $orderNo) { logs { performedBy type title message date } } }`;

    expect(await ask(server, admin, query, { orderNo })).toEqual({
      logs: [
        { performedBy: 'Guest Tan', type: 'order', title: 'Order placed', message: orderNo, date: expect.any(String) },
      ],
    });
    expect(await ask(server, nobody, query, { orderNo })).toEqual({ logs: [] });
    expect(await ask(server, organization.admin, query, { orderNo })).toEqual({ logs: [] });
  });

  it('is in a long list with its lines and its log', async () => {
    const buyerName = `Long List ${group.ticketGroupId}`;
    for (const offer of [group, await onSale(server, admin)])
      for (let count = 0; count < 3; count += 1) await place({ buyerName }, '', offer);

    const query = `query ($buyerName: String!) { orders(first: 50, filter: { query: $buyerName }) { edges { node { orderNo items { itemId } logs { title } ticketGroup { groupNameEn variants { itemId } } } } } }`;
    const { edges } = await ask(server, admin, query, { buyerName });
    expect(edges).toHaveLength(6);
    for (const { node } of edges) {
      expect(node.items).toHaveLength(1);
      expect(node.logs.length).toBeGreaterThan(0);
      expect(node.ticketGroup.variants).toContainEqual(node.items[0]);
    }
  });
});

describe('the profile of a customer', () => {
  it('is masked for strangers and other organizations, and complete for the customer and the staff who serve them', async () => {
    const member = await logInCustomer(server);
    const profile = async (headers = {}) =>
      (await send(server, 'GET', `/api/customer/profile?custId=${member.custId}`, { headers })).json.data;
    await send(server, 'POST', '/api/orderTicketGroup', {
      headers: member.headers,
      body: { ...orderInput(group, member.custId), ticketGroupId: Number(group.ticketGroupId) },
    });

    for (const headers of [{}, organization.admin.headers])
      expect(await profile(headers)).toMatchObject({ email: 'c***@foyer.test', fullName: 'S***', contactNo: null });
    for (const headers of [member.headers, admin.headers])
      expect(await profile(headers)).toMatchObject({ email: 'customer@foyer.test', fullName: 'Siti Aminah' });
  });
});

describe('the export', () => {
  const EXPORT = `mutation ($filter: OrderFilter) { exportOrders(filter: $filter) { url expiresAt rows } }`;

  it('is a CSV file of the filtered orders, without formulas', async () => {
    const of = await onSale(server, admin, { group: { groupNameEn: '=1+1' } });
    const { ticketGroupId } = of;
    const names = ['=HYPERLINK("http://evil.test")', '+60123', '-2+3', '@SUM(A1)', 'Tan, "Mei"', '陈小明'];
    for (const buyerName of names) await place({ buyerName }, '', of);

    const { url, rows } = await ask(server, admin, EXPORT, { filter: { ticketGroupId } });
    const file = await fetch(url);
    expect(rows).toBe(names.length);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-\d{4}-\d{2}-\d{2}\.csv"$/);
    const text = Buffer.from(await file.arrayBuffer()).toString();
    expect(text.startsWith('\uFEFForderNo,createdAt,')).toBe(true);
    for (const shown of [
      `"'=HYPERLINK(""http://evil.test"")"`,
      `'+60123`,
      `'-2+3`,
      `'@SUM(A1)`,
      `"Tan, ""Mei"""`,
      '陈小明',
      `'=1+1`,
    ])
      expect(text).toContain(`,${shown},`);
    expect(text).not.toMatch(/(^|,)"?[=+\-@]/m);
    expect(text.trimEnd().split('\n')).toHaveLength(names.length + 1);
  });

  it('holds only what the requesting staff member may see, and notifies the staff', async () => {
    await place();
    const { url, rows } = await ask(server, organization.admin, EXPORT);
    expect(rows).toBe(0);
    expect((await (await fetch(url)).text()).trimEnd().split('\n')).toHaveLength(1);
    const { json } = await send(server, 'GET', '/api/notifications', { headers: organization.admin.headers });
    expect(json.data[0]).toMatchObject({ type: 'Report', title: 'Orders exported' });
  });

  it('has a link that nobody can forge or change', async () => {
    const { url } = await ask(server, admin, EXPORT);
    const forged = new URL(url);
    const seal = forged.searchParams.get('seal') ?? '';
    // Another byte: some bits of the last characters may have no meaning.
    forged.searchParams.set(
      'seal',
      seal.replace(/^../, (begin) => (begin === 'AA' ? 'BB' : 'AA')),
    );
    const token = new URL('/exports/orders.csv', server.url);
    token.searchParams.set('seal', admin.access_token);
    for (const wrong of [forged, token, new URL('/exports/orders.csv', server.url)]) {
      const { status, json } = await send(server, 'GET', wrong.href);
      expect([status, json.code]).toEqual([404, 'EXPORT_NOT_FOUND']);
    }
  });

  it('has a link that ends with the session and the permission that made it, and not with those of others', async () => {
    const someone = async (name: string) => {
      const person = await organization.join(name);
      const member = { user_id: person.id, role: 'WORKSPACE_MEMBER' };
      await organization.ask(organization.admin, 'POST', `/workspaces/${organization.workspaceId}/members`, member);
      return { person, url: (await ask(server, person, EXPORT)).url as string };
    };
    const [gone, lowered, disabled, other] = [
      await someone('gone'),
      await someone('lowered'),
      await someone('disabled'),
      await someone('other'),
    ];
    const statuses = async () =>
      Promise.all([gone, lowered, disabled, other].map(async ({ url }) => (await fetch(url)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    await send(server, 'POST', '/api/v1/logout', { headers: gone.person.headers });
    await organization.ask(
      organization.admin,
      'DELETE',
      `/workspaces/${organization.workspaceId}/members/${lowered.person.id}`,
    );
    await organization.ask(organization.admin, 'PATCH', `/users/${disabled.person.id}/status`, { status: 'disabled' });
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    expect((await send(server, 'GET', gone.url)).json.code).toBe('EXPORT_NOT_FOUND');
  });

  it('has the refusals of the list, and refuses everybody who is not staff', async () => {
    const { errors } = await graphql(server, EXPORT, { filter: { startDate: day(1), endDate: day(0) } }, admin.headers);
    expect(errors[0].extensions.reason).toBe('VALIDATION_FAILED');
    expect(await refusalOf(server, nobody, EXPORT)).toBe('UNAUTHENTICATED');
  });
});
