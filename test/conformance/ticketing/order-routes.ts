import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { qrCodesIn, textIn } from '../../support/pdf.ts';
import { aGuest, ask, day, nobody } from '../../support/fixtures/storefront.ts';
import { holds, type Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { text, timestamp, uuid, words } from '../framework/shapes.ts';
import { buyerEmail, inquire, newGroup, paidOrder, place, placed, placeFree } from './shop.ts';

/** The fields of an order in a list. */
const listed = {
  orderTicketGroupId: expect.any(Number),
  orderNo: text,
  transactionStatus: text,
  totalAmount: expect.any(Number),
  buyerName: text,
  buyerEmail: text,
  admitDate: text,
  createdAt: timestamp,
};

const numbers = (orders: { orderNo: string }[]) => orders.map(({ orderNo }) => orderNo);

/** An order of the demo customer. */
async function ownOrder(server: Server): Promise<string> {
  const { custId, headers } = await server.customer();
  return placed(server, { custId, headers });
}

const get = (server: Server, path: string, query: Record<string, string>, headers: Headers = {}) =>
  server.send('GET', `${path}?${new URLSearchParams(query).toString()}`, { headers });

const management = async (server: Server, query: Record<string, string>, headers?: Headers) =>
  get(server, '/api/orderTicketGroups/management', query, headers ?? (await server.acmeAdmin()).headers);

/** "Orders (prefix /api)". */
export const orderRoutes: Rows = {
  'ticketing-order-routes-get-order-ticket-groups': holds(async (server) => {
    const placedNow = [await ownOrder(server), await ownOrder(server)];
    const { headers } = await server.customer();
    const list = (query: Record<string, string>) => get(server, '/api/orderTicketGroups', query, headers);
    const { status, json } = await list({ page: '1', limit: '2', status: 'INITIATED' });
    expect([status, numbers(json)]).toEqual([200, placedNow.toReversed()]);
    for (const order of json) expect(order).toEqual(expect.objectContaining(listed));
    expect(numbers((await list({ page: '2', limit: '1' })).json)).toEqual(placedNow.slice(0, 1));
    const { json: free } = await list({ status: 'FREE' });
    expect(numbers(free).filter((orderNo) => placedNow.includes(orderNo))).toEqual([]);
    for (const order of free) expect(order).toMatchObject({ transactionStatus: 'FREE' });
  }),

  'ticketing-order-routes-get-order-ticket-group': holds(async (server) => {
    const orderNo = await ownOrder(server);
    const { headers } = await server.customer();
    const one = (query: Record<string, string>, who = headers) => get(server, '/api/orderTicketGroup', query, who);
    const { status, json } = await one({ orderNo });
    expect([status, json]).toEqual([200, expect.objectContaining({ ...listed, orderNo })]);
    const { orderTicketGroupId, transactionId } = json;
    expect((await one({ transactionId })).json).toMatchObject({ orderNo, orderTicketGroupId });
    const staff = await one({ orderTicketGroupId }, await server.legacy('ADMIN'));
    expect(staff.json).toMatchObject({ orderNo, transactionId, buyerEmail });
    const stranger = server.mode === 'documented' ? {} : headers;
    const byId = await one({ orderTicketGroupId }, stranger);
    expect([byId.status, byId.json]).toEqual([200, expect.objectContaining({ orderNo, transactionId })]);
  }),

  'ticketing-order-routes-get-order-non-member-inquiry': holds(async (server) => {
    const orderNo = await placed(server);
    const { status, json } = await inquire(server, orderNo);
    expect([status, json]).toEqual([200, expect.objectContaining({ ...listed, orderNo, buyerEmail })]);
    expect((await inquire(server, orderNo, buyerEmail.toUpperCase())).status).toBe(200);
    const refusal = async (number: string, email: string) => {
      const { status: code, json: refused } = await inquire(server, number, email);
      return [code, refused.code, refused.message];
    };
    const wrong = await refusal(orderNo, 'other@example.test');
    expect(wrong[0]).toBe(404);
    expect(await refusal(`${orderNo.slice(0, -1)}${orderNo.endsWith('0') ? '1' : '0'}`, buyerEmail)).toEqual(wrong);
    for (const half of [{ orderNo }, { email: buyerEmail }])
      expect([half, (await get(server, '/api/orderNonMemberInquiry', half)).status]).toEqual([half, 400]);
  }),

  'ticketing-order-routes-post-order-ticket-group': holds(async (server) => {
    const { status, json } = await place(server);
    expect([status, json]).toEqual([
      200,
      { orderNo: text, billId: text, productId: text, totalAmount: 90, msgToken: text, transactionId: uuid },
    ]);
    const { custId, headers } = await server.customer();
    expect((await place(server, { custId, headers })).status).toBe(200);
    const nothing = { langChosen: null, productDesc: null };
    expect((await place(server, { differently: nothing })).status).toBe(200);
    expect((await place(server, { custId: randomUUID() })).status).toBe(403);
  }),

  'ticketing-order-routes-post-order-ticket-group-free': holds(async (server) => {
    const { status, json } = await placeFree(server);
    expect([status, json]).toEqual([200, expect.objectContaining({ orderNo: text, transactionId: uuid })]);
    expect(Buffer.from(json.pdf.base64, 'base64').toString('latin1').slice(0, 5)).toBe('%PDF-');
  }),

  'ticketing-order-routes-get-order-ticket-groups-management': holds(async (server) => {
    const [group, custId] = [await newGroup(server), await aGuest(server)];
    const placedNow: string[] = [];
    for (const name of ['Ali', 'Bee', 'Cik'])
      placedNow.unshift(await placed(server, { group, custId, differently: { buyerName: name } }));
    const { ticketGroupId } = group;
    const find = async (query: Record<string, string>) => {
      const { status, json } = await management(server, { ticketGroupId, ...query });
      expect([query, status]).toEqual([query, 200]);
      return numbers(json.data);
    };
    expect(await find({ page: '1', limit: '2' })).toEqual(placedNow.slice(0, 2));
    expect(await find({ page: '2', limit: '2' })).toEqual(placedNow.slice(2));
    expect(await find({ query: 'bee' })).toEqual(placedNow.slice(1, 2));
    expect(await find({ status: 'INITIATED' })).toEqual(placedNow);
    expect(await find({ status: 'SUCCESS' })).toEqual([]);
    expect(await find({ startDate: day(0), endDate: day(0) })).toEqual(placedNow);
    expect(await find({ endDate: day(-1) })).toEqual([]);
    expect(await find({ query: '', status: '', startDate: '', endDate: '' })).toEqual(placedNow);
    const { json } = await management(server, { ticketGroupId, limit: '2' });
    expect([json.data[0], json.pagination]).toEqual([
      expect.objectContaining(listed),
      { page: 1, limit: 2, total: 3, totalPages: 2 },
    ]);
  }),

  'ticketing-order-routes-get-customer-profile': holds(async (server) => {
    const { custId, email, headers } = await server.customer();
    const { status, json } = await get(server, '/api/customer/profile', { custId }, headers);
    expect([status, json.data]).toEqual([200, expect.objectContaining({ custId, email, fullName: words })]);
    const stranger = await get(server, '/api/customer/profile', { custId });
    expect(stranger.status).toBe(server.mode === 'documented' ? 200 : 401);
    expect(stranger.json.data?.custId).toBe(server.mode === 'documented' ? custId : undefined);
    for (const known of [email, json.data.fullName]) expect(stranger.text).not.toContain(known);
    expect((await get(server, '/api/customer/profile', { custId: randomUUID() }, headers)).status).toBe(404);
  }),
};

/** "Receipt". */
export const receipt: Rows = {
  'ticketing-receipt-route-get-pdf-receipt': holds(async (server) => {
    const { orderNo } = await paidOrder(server);
    const { status, headers, text: bytes } = await get(server, '/pdf/receipt', { orderNo });
    expect([status, headers.get('content-type'), bytes.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
    const { url } = server;
    const pdf = new Uint8Array(await (await fetch(new URL(`/pdf/receipt?orderNo=${orderNo}`, url))).arrayBuffer());
    const printed = await textIn(pdf);
    for (const said of [orderNo, 'Mei Ling', '90.00']) expect(printed).toContain(said);
    const bought = `query ($orderNo: String!, $email: String!) { order(orderNo: $orderNo, email: $email) { tickets { code } } }`;
    const { tickets } = await ask(server, nobody, bought, { orderNo, email: buyerEmail });
    expect((await qrCodesIn(pdf)).toSorted()).toEqual(tickets.map(({ code }: { code: string }) => code).toSorted());

    const { json: free } = await placeFree(server);
    for (const [query, expected] of [
      [{ orderNo: free.orderNo as string }, 200],
      [{ orderNo: await placed(server) }, 409],
      [{ orderNo: 'ORD-20261121-0000000000000' }, 404],
      [{}, 400],
    ] as const)
      expect([query, (await get(server, '/pdf/receipt', query)).status]).toEqual([query, expected]);
  }),
};

/** "Authentication", as far as it is about orders. */
export const orderAuthentication: Rows = {
  'ticketing-authentication-get-api-order-ticket-groups': holds(async (server) => {
    const list = async (headers: Headers) => (await get(server, '/api/orderTicketGroups', {}, headers)).status;
    expect(await list({})).toBe(401);
    expect(await list((await server.customer()).headers)).toBe(200);
    expect(await list((await server.acmeAdmin()).headers)).toBe(200);
  }),

  'ticketing-authentication-post-api-order-ticket-group': holds(async (server) => {
    const { custId, headers } = await server.customer();
    expect((await place(server, { custId })).status).toBe(401);
    expect((await place(server, { custId, headers })).status).toBe(200);
    expect((await place(server, { custId: await aGuest(server), headers })).status).toBe(403);
    expect((await place(server, { custId: randomUUID() })).status).toBe(403);
  }),

  'ticketing-authentication-get-api-order-ticket-groups-management': holds(async (server) => {
    const list = async (headers: Headers) => (await management(server, { limit: '1' }, headers)).status;
    expect(await list({})).toBe(401);
    expect(await list((await server.customer()).headers)).toBe(403);
    expect(await list(await server.legacy('CUSTOMER'))).toBe(403);
    for (const role of ['ADMIN', 'SYSADMIN', 'MEMBER'])
      expect([role, await list(await server.legacy(role))]).toEqual([role, 200]);
  }),

  'ticketing-authentication-api-order-non-member-inquiry-payment-pdf-receipt': holds(async (server) => {
    const [{ orderNo: paid }, orderNo] = [await paidOrder(server), await placed(server)];
    const stale = { authorization: 'Bearer of.long.ago' };
    for (const headers of [{}, stale])
      for (const [method, path, expected, body] of [
        ['GET', `/api/orderNonMemberInquiry?orderNo=${orderNo}&email=${buyerEmail}`, 200, undefined],
        ['POST', '/payment/generateToken', 200, undefined],
        ['POST', '/payment/bankList', 200, { mode: 'individual' }],
        ['GET', '/payment/return?payload=none', 302, undefined],
        ['GET', '/payment/decrypt?payload=none', 400, undefined],
        ['GET', `/pdf/receipt?orderNo=${paid}`, 200, undefined],
      ] as const) {
        const { status } = await server.send(method, path, { headers, ...(body && { body }) });
        expect([path, headers, status]).toEqual([path, headers, expected]);
      }
  }),
};
