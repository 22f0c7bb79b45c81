import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { graphql, send } from '../support/fixtures/people.ts';
import { acmeAdmin, ask, day, nobody, onSale } from '../support/fixtures/storefront.ts';
import type { Server } from '../support/servers/server-process.ts';
import { sharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

/** More than the forty of one caller that may wait, by as many as mails print meanwhile. */
const MANY = 64;
const PLACE = `mutation ($input: CreateOrderInput!) { createFreeOrder(input: $input) { orderNo } }`;

let server: Server;
let staff: Awaited<ReturnType<typeof acmeAdmin>>;
let sale: Awaited<ReturnType<typeof onSale>>;

beforeAll(async () => {
  server = await sharedServer();
  staff = await acmeAdmin(server);
  sale = await onSale(server, staff, { group: { dailyCapacity: 100_000 }, variant: { unitPriceSen: 0 } });
});

/** Places free orders whose receipts nobody has printed yet. */
async function newOrders(): Promise<string[]> {
  const { ticketGroupId, itemId } = sale;
  const input = {
    langChosen: 'EN',
    ticketGroupId,
    buyerName: 'Guest Tan',
    buyerEmail: 'rush@example.test',
    admitDate: day(7),
    items: [{ itemId, quantityBought: 10 }],
  };
  const placed = await Promise.all(Array.from({ length: MANY }, () => ask(server, nobody, PLACE, { input })));
  return placed.map(({ orderNo }) => orderNo as string);
}

const query = (orders: readonly string[]) =>
  `{ ${orders.map((orderNo, at) => `_${at}: order(orderNo: "${orderNo}") { receipt { filename } }`).join('\n')} }`;

describe('more receipts of one caller than may wait', () => {
  it('are refused over REST with 503 and Retry-After, and can be had later', async () => {
    const [orderNo, refused] = await until('a refusal', async () => {
      const orders = await newOrders();
      const answers = await Promise.all(orders.map((no) => send(server, 'GET', `/pdf/receipt?orderNo=${no}`)));
      expect(new Set(answers.map(({ status }) => status))).toContain(200);
      const at = answers.findIndex(({ status }) => status !== 200);
      return answers[at] && ([orders[at], answers[at]] as const);
    });
    expect(refused).toMatchObject({ status: 503, json: { success: false, code: 'RECEIPTS_BUSY' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect
      .poll(async () => (await send(server, 'GET', `/pdf/receipt?orderNo=${orderNo}`)).status, { timeout: 60_000 })
      .toBe(200);
  });

  it('are null over GraphQL, each with an error that names the reason and the time to wait', async () => {
    const answers = await until('a refusal', async () => {
      const orders = await newOrders();
      const parts = [0, 1, 2, 3].map((part) => orders.slice((part * MANY) / 4, ((part + 1) * MANY) / 4));
      const all: Json[] = await Promise.all(parts.map((part) => graphql(server, query(part), {}, staff.headers)));
      return all.some(({ errors }) => errors) && all;
    });
    for (const { data, errors = [] } of answers) {
      for (const { path, extensions } of errors) {
        expect(extensions).toMatchObject({ reason: 'RECEIPTS_BUSY', retryAfter: expect.any(Number) });
        expect(data[path[0]].receipt).toBeNull();
      }
    }
    expect(answers.flatMap(({ data }) => Object.values<Json>(data)).some(({ receipt }) => receipt)).toBe(true);
  });
});

describe('the price of a receipt', () => {
  it('lets an operation ask for nineteen, and refuses twenty before it prints any', async () => {
    const orders = Array.from({ length: 20 }, (_, at) => `ORD-20260101-NONE${at}`);
    const reasonsFor = async (numbers: string[]) => {
      const { errors } = (await graphql(server, query(numbers), {}, staff.headers)) as Json;
      return new Set(errors.map(({ extensions }: Json) => extensions.reason));
    };
    expect(await reasonsFor(orders.slice(1))).toEqual(new Set(['ORDER_NOT_FOUND']));
    expect(await reasonsFor(orders)).toEqual(new Set(['MAX_COST']));
  });
});
