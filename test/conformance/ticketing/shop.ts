import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { decide, goToTheBank } from '../../support/servers/bank.ts';
import { aGuest, day, onSale } from '../../support/fixtures/storefront.ts';
import { perServer } from '../framework/per-server.ts';
import { NotRun } from '../framework/row.ts';
import type { Answer, Headers, Server } from '../framework/server.ts';

export const buyerEmail = 'mei.ling@example.test';
const slug = () => `conformance-${randomUUID()}`;

/** A ticket group of the demo organization that costs 45 ringgit, and one that costs nothing. */
export const paidGroup = perServer(async (server) => newGroup(server));
export const freeGroup = perServer(async (server) => newGroup(server, { unitPriceSen: 0 }));

export async function newGroup(server: Server, variant: object = {}) {
  return onSale(server, await server.acmeAdmin(), { group: { slug: slug() }, variant });
}

type Group = Awaited<ReturnType<typeof newGroup>>;

/** The documented request for two tickets, a week from now. */
export const orderOf = ({ ticketGroupId, itemId }: Group, custId: string | undefined, differently: object = {}) => ({
  langChosen: 'EN',
  ticketGroupId: Number(ticketGroupId),
  ...(custId !== undefined && { custId }),
  buyerName: 'Mei Ling',
  buyerEmail,
  admitDate: day(7),
  productDesc: 'Museum tickets',
  items: [
    {
      itemId,
      variant: 'Adult',
      unitPrice: 45,
      quantityBought: 2,
      itemDesc1: 'Dewasa',
      itemDesc2: 'Adult',
      itemDesc3: '成人',
    },
  ],
  ...differently,
});

interface Placing {
  group?: Group;
  custId?: string;
  headers?: Headers;
  differently?: object;
}

/** Sends an order, by default of a new guest. */
export async function place(
  server: Server,
  { group, custId, headers = {}, differently }: Placing = {},
): Promise<Answer> {
  const body = orderOf(group ?? (await paidGroup(server)), custId ?? (await aGuest(server)), differently);
  return server.send('POST', '/api/orderTicketGroup', { headers, body });
}

/** Returns the number of a new order, by default of a guest. */
export async function placed(server: Server, placing?: Placing): Promise<string> {
  const { status, json, text } = await place(server, placing);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return json.orderNo as string;
}

/** Places a free order, as a new guest. */
export async function placeFree(server: Server, differently: object = {}): Promise<Answer> {
  const { items, ...order } = orderOf(await freeGroup(server), await aGuest(server), differently);
  const body = { ...order, items: items.map((item) => ({ ...item, unitPrice: 0 })) };
  return server.send('POST', '/api/orderTicketGroup/free', { body });
}

/** What a guest reads of an order by its number and e-mail. */
export async function inquire(server: Server, orderNo: string, email = buyerEmail) {
  const query = new URLSearchParams({ email, orderNo });
  return server.send('GET', `/api/orderNonMemberInquiry?${query.toString()}`);
}

interface LogEntry {
  orderTicketLogId: number;
  type: string;
}

/** An order as staff read it. */
export async function asStaff(server: Server, orderNo: string) {
  const { headers } = await server.acmeAdmin();
  const { json } = await server.send('GET', `/api/orderTicketGroup?orderNo=${orderNo}`, { headers });
  return json as { transactionStatus: string; logs: LogEntry[] };
}

/** The status of an order, as staff read it. */
export const statusOf = async (server: Server, orderNo: string): Promise<string> =>
  (await asStaff(server, orderNo)).transactionStatus;

/** The numbers of the orders that staff see of a ticket group. */
export async function ordersOf(server: Server, { ticketGroupId }: Pick<Group, 'ticketGroupId'>, query = '') {
  const { headers } = await server.acmeAdmin();
  const path = `/api/orderTicketGroups/management?ticketGroupId=${ticketGroupId}${query}`;
  const { status, json } = await server.send('GET', path, { headers });
  expect([path, status]).toEqual([path, 200]);
  return (json.data as { orderNo: string }[]).map(({ orderNo }) => orderNo);
}

/** Goes to the embedded bank with an order. */
async function toTheBank(server: Server, orderNo: string) {
  const { status } = await server.send('GET', '/sim/bank/payments');
  if (status !== 200) throw new NotRun('needs the embedded bank');
  return goToTheBank(server, orderNo);
}

/** The same, and decides there; returns where it sends the browser. The bank tells the server at the same time. */
export const decideAtTheBank = async (server: Server, orderNo: string, outcome: string): Promise<URL> =>
  decide(await toTheBank(server, orderNo), outcome);

/** The same with an approval of which the server hears by the browser only. */
export async function approveUntold(server: Server, orderNo: string): Promise<URL> {
  await toTheBank(server, orderNo);
  const body = { orderNo, outcome: 'approve', repeat: 0 };
  return new URL((await server.send('POST', '/sim/bank/decide', { body })).json.redirect);
}

/** The same, then returns from the bank; returns where the browser is sent. */
export async function comeBack(server: Server, orderNo: string, outcome: string) {
  const back = await decideAtTheBank(server, orderNo, outcome);
  const { status, headers } = await server.send('GET', back.href);
  return { status, location: headers.get('location') };
}

/** A new order that is paid, as its guest reads it; with its tickets in a mail. */
async function pay(server: Server, placing?: Placing): Promise<string> {
  const orderNo = await placed(server, placing);
  expect(await comeBack(server, orderNo, 'approve')).toEqual({
    status: 302,
    location: expect.stringMatching(/^\/payment\/success\?/),
  });
  return orderNo;
}

/** An order that was paid, for all rows that only read it: its number, and what its guest reads. */
export const paidOrder = perServer(async (server) => {
  const custId = await aGuest(server);
  const group = await paidGroup(server);
  const orderNo = await pay(server, { custId, group });
  const { json } = await inquire(server, orderNo);
  return { orderNo, custId, group, order: json };
});
