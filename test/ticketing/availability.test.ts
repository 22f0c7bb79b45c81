import { beforeAll, describe, expect, it } from 'vitest';

import { graphql, type logIn } from '../support/fixtures/people.ts';
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
  weekday,
} from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let custId: string;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  custId = await aGuest(server);
});

const QUOTE = `query ($input: QuoteInput!) { quote(input: $input) { totalAmount currency lines { itemId unitPrice quantityBought amount } } }`;
const CREATE = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { orderNo totalAmount } }`;

type Group = { ticketGroupId: string; itemId: string };

/** Sends the same through every API: REST, and the order and the quote of GraphQL. */
async function everyApi(group: Group, differently: object = {}) {
  const input = orderInput(group, custId, differently);
  const rest = await order(server, input);
  const quoted = { ticketGroupId: input.ticketGroupId, admitDate: input.admitDate, items: input.items };
  return {
    rest: [rest.status, rest.json.code],
    order: await refusalOf(server, nobody, CREATE, { input }),
    quote: await refusalOf(server, nobody, QUOTE, { input: quoted }),
  };
}
const refused = (status: number, code: string) => ({ rest: [status, code], order: code, quote: code });

describe('an order is valid only when', () => {
  it('the group exists', async () => {
    const group = { ticketGroupId: '999999999', itemId: 'X' };
    expect(await everyApi(group)).toEqual(refused(404, 'TICKET_GROUP_NOT_FOUND'));
  });

  it.each([
    ['it is active', { isActive: false }],
    ['today is not before its first day', { activeStartDate: day(1) }],
    ['today is not after its last day', { activeEndDate: day(-1) }],
  ])('%s', async (_rule, group) => {
    expect(await everyApi(await onSale(server, admin, { group }))).toEqual(refused(400, 'NOT_ON_SALE'));
  });

  it.each([
    ['the admission date exists', '2027-02-30'],
    ['the admission date is written YYYY-MM-DD', '05-03-2027'],
    ['the admission date has not passed', day(-1)],
    ['the admission date is not too far ahead', day(91)],
    ['the admission date is within its days', day(31)],
  ])('%s', async (_rule, admitDate) => {
    const group = await onSale(server, admin, { group: { activeEndDate: day(30) } });
    expect(await everyApi(group, { admitDate })).toEqual(refused(400, 'INVALID_DATE'));
  });

  it('sales for today have not ended, at the cut-off', async () => {
    const group = await onSale(server, admin, { group: { salesCutoff: '00:00' } });
    expect(await everyApi(group, { admitDate: day(0) })).toEqual(refused(400, 'INVALID_DATE'));
    expect((await order(server, orderInput(group, custId, { admitDate: day(1) }))).status).toBe(200);
  });

  it('the weekday is not closed', async () => {
    const group = await onSale(server, admin, { group: { closedWeekdays: [weekday(day(7))] } });
    expect(await everyApi(group)).toEqual(refused(400, 'DATE_CLOSED'));
  });

  it('the day was not closed by hand', async () => {
    const group = await onSale(server, admin);
    const close = `mutation ($id: ID!, $on: Date!) {
      setDailyCapacities(ticketGroupId: $id, from: $on, to: $on, input: { closed: true }) { closed } }`;
    await ask(server, admin, close, { id: group.ticketGroupId, on: day(7) });
    expect(await everyApi(group)).toEqual(refused(400, 'DATE_CLOSED'));
  });

  it('every item is an active variant of that group', async () => {
    const [group, other] = [await onSale(server, admin), await onSale(server, admin)];
    const items = [
      { itemId: group.itemId, quantityBought: 1 },
      { itemId: other.itemId, quantityBought: 1 },
    ];
    expect(await everyApi(group, { items })).toEqual(refused(400, 'ITEM_NOT_OFFERED'));
  });

  it('the number of tickets is at least one, and no more than the limit of the group', async () => {
    const group = await onSale(server, admin, { group: { orderTicketLimit: 3 } });
    const items = (...quantities: number[]) =>
      quantities.map((quantityBought) => ({ itemId: group.itemId, quantityBought }));
    for (const wrong of [items(0), items(-1), items(4), items(2, 2)])
      expect(await everyApi(group, { items: wrong })).toEqual(refused(400, 'LIMIT'));
    expect((await order(server, orderInput(group, custId, { items: items(1, 2) }))).status).toBe(200);
  });

  it('there is capacity left for all of it', async () => {
    const group = await onSale(server, admin, { group: { dailyCapacity: 3 } });
    const items = [{ itemId: group.itemId, quantityBought: 2 }];
    expect((await order(server, orderInput(group, custId, { items }))).status).toBe(200);
    expect(await everyApi(group, { items })).toEqual(refused(409, 'SOLD_OUT'));
    expect((await order(server, orderInput(group, custId))).status).toBe(200);
  });

  it('there is capacity left of its variant, where that has one of its own', async () => {
    const group = await onSale(server, admin, { variant: { dailyCapacity: 3 } });
    const item = (quantityBought: number) => ({ itemId: group.itemId, quantityBought });
    expect(await everyApi(group, { items: [item(2), item(2)] })).toEqual(refused(409, 'SOLD_OUT'));
    expect((await order(server, orderInput(group, custId, { items: [item(2)] }))).status).toBe(200);
    expect(await everyApi(group, { items: [item(2)] })).toEqual(refused(409, 'SOLD_OUT'));
    expect((await order(server, orderInput(group, custId))).status).toBe(200);
  });

  it('the price that the client saw is the current price (PRICE_MISMATCH, with the current price)', async () => {
    const group = await onSale(server, admin, { variant: { unitPriceSen: 45_00 } });
    const items = [{ itemId: group.itemId, quantityBought: 1, unitPrice: 0.01 }];
    expect(await everyApi(group, { items })).toEqual(refused(409, 'PRICE_MISMATCH'));
    const { json } = await order(server, orderInput(group, custId, { items }));
    expect(json).toMatchObject({ success: false, itemId: group.itemId, unitPrice: 45 });
  });

  it.each([
    ['paid and free are not confused: a paid order costs something', 0, '', 'USE_FREE_ROUTE'],
    ['paid and free are not confused: a free order costs nothing', 1_00, '/free', 'NOT_FREE'],
    ['banks take the amount', 99, '', 'AMOUNT_OUT_OF_RANGE'],
  ])('%s', async (_rule, unitPriceSen, path, code) => {
    const group = await onSale(server, admin, { variant: { unitPriceSen } });
    const { status, json } = await order(server, orderInput(group, custId), path);
    expect([status, json.code]).toEqual([400, code]);
  });
});

describe('the quote', () => {
  it('lists line by line what the order will charge, in ringgit', async () => {
    const group = await onSale(server, admin, { variant: { unitPriceSen: 19_99 } });
    const items = [{ itemId: group.itemId, quantityBought: 3, unitPrice: 19.99 }];
    const { ticketGroupId } = group;

    expect(await ask(server, nobody, QUOTE, { input: { ticketGroupId, admitDate: day(7), items } })).toEqual({
      totalAmount: 59.97,
      currency: 'MYR',
      lines: [{ itemId: group.itemId, unitPrice: 19.99, quantityBought: 3, amount: 59.97 }],
    });
    expect((await order(server, orderInput(group, custId, { items }))).json.totalAmount).toBe(59.97);
  });
});

describe('availability by date', () => {
  const DAYS = `query ($id: ID!, $from: Date!, $to: Date!) {
    ticketGroup(ticketGroupId: $id) { availability(from: $from, to: $to) { date status remaining } } }`;

  it('distinguishes open, closed and sold-out days, and shows exact numbers only when few are left', async () => {
    const group = await onSale(server, admin, { group: { dailyCapacity: 21, activeEndDate: day(8) } });
    const id = group.ticketGroupId;
    await order(server, orderInput(group, custId));
    const set = `mutation ($id: ID!, $on: Date!) {
      setDailyCapacities(ticketGroupId: $id, from: $on, to: $on, input: { capacity: 0 }) { date } }`;
    await ask(server, admin, set, { id, on: day(6) });

    const { availability } = await ask(server, nobody, DAYS, { id, from: day(5), to: day(9) });
    expect(availability).toEqual([
      { date: day(5), status: 'AVAILABLE', remaining: null },
      { date: day(6), status: 'SOLD_OUT', remaining: 0 },
      { date: day(7), status: 'AVAILABLE', remaining: 20 },
      { date: day(8), status: 'AVAILABLE', remaining: null },
      { date: day(9), status: 'CLOSED', remaining: null },
    ]);
  });

  it('is limited to 92 days, with the first not after the last', async () => {
    const { ticketGroupId: id } = await onSale(server, admin);
    for (const range of [
      { from: day(1), to: day(93) },
      { from: day(2), to: day(1) },
    ]) {
      const { errors } = await graphql(server, DAYS, { id, ...range });
      expect(errors[0].extensions.reason).toBe('VALIDATION_FAILED');
    }
  });
});
