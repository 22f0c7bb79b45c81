import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import { graphql, send, logInCustomer } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';

let server: HostedServer;
let customer: Awaited<ReturnType<typeof logInCustomer>>;

beforeAll(async () => {
  server = await startServer({
    LOGIN_FLOOR_MS: '50',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    GUEST_ORDERS_PER_MINUTE: '5',
    INQUIRIES_PER_MINUTE: '4',
    PAYMENT_TOKENS_PER_MINUTE: '3',
    GRAPHQL_REQUESTS_PER_ADDRESS: '25',
    RECEIPTS_PER_MINUTE: '3',
    RESENDS_PER_MINUTE: '2',
  });
  customer = await logInCustomer(server);
});
afterAll(() => closeServer(server));

const from = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more });
const body = {
  ticketGroupId: 1,
  custId: '00000000-0000-4000-8000-000000000000',
  buyerName: 'x',
  buyerEmail: 'x@example.test',
  admitDate: '2030-01-01',
  items: [{ itemId: 'X', quantityBought: 1 }],
};

let numbers = 0;
/** Another each time: equal requests at the same time may be sent once. */
const aNumber = () => (numbers += 1);

const asks: [
  string,
  number,
  (headers: Record<string, string>) => Promise<{ status: number; retryAfter: string | null }>,
][] = [
  ['guest orders', 5, async (headers) => told(await send(server, 'POST', '/api/orderTicketGroup', { headers, body }))],
  [
    'free guest orders',
    5,
    async (headers) => told(await send(server, 'POST', '/api/orderTicketGroup/free', { headers, body })),
  ],
  [
    'inquiries',
    4,
    async (headers) =>
      told(
        await send(server, 'GET', `/api/orderNonMemberInquiry?orderNo=ORD-${aNumber()}&email=a@example.test`, {
          headers,
        }),
      ),
  ],
  [
    'numbers counted up',
    4,
    async (headers) =>
      told(await send(server, 'GET', `/api/orderTicketGroup?orderTicketGroupId=${aNumber()}`, { headers })),
  ],
  [
    'numbers counted up with the token of a customer',
    4,
    async (headers) =>
      told(
        await send(server, 'GET', `/api/orderTicketGroup?orderTicketGroupId=${aNumber()}`, {
          headers: { ...headers, ...customer.headers },
        }),
      ),
  ],
  [
    'keys for payment forms',
    3,
    async (headers) => told(await send(server, 'POST', '/payment/generateToken', { headers })),
  ],
  ['receipts', 3, async (headers) => told(await send(server, 'GET', '/pdf/receipt?orderNo=ORD-1', { headers }))],
];
const told = ({ status, headers }: Awaited<ReturnType<typeof send>>) => ({
  status,
  retryAfter: headers.get('retry-after'),
});

describe('the limits on strangers at one address', () => {
  it.each(asks)(
    'lets exactly so many %s through in a minute: %i; then answers 429 with Retry-After',
    async (what, most, ask) => {
      const address = `198.51.100.${asks.findIndex(([name]) => name === what) + 1}`;
      const answers = await Promise.all(Array.from({ length: most + 3 }, () => ask(from(address))));

      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(3);
      for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
      expect((await ask(from('198.51.100.200'))).status).not.toBe(429);
    },
  );

  it('counts resends too', async () => {
    const resend = 'mutation { resendTickets(orderNo: "ORD-1", email: "a@example.test") { orderNo } }';
    const reasons = [];
    for (let count = 0; count < 3; count++)
      reasons.push((await graphql(server, resend, {}, from('198.51.100.50'))).errors[0].extensions.reason);
    expect(reasons).toEqual(['ORDER_NOT_FOUND', 'ORDER_NOT_FOUND', 'RATE_LIMITED']);
  });

  it('does not count logged-in customers', async () => {
    for (let count = 0; count < 8; count++) {
      const { status } = await send(server, 'POST', '/api/orderTicketGroup', {
        headers: from('198.51.100.60', customer.headers),
        body,
      });
      expect(status).not.toBe(429);
    }
  });
});

/** Asks until it is refused: every 2.4 seconds one more request is allowed, and a busy machine takes longer for 25. */
const firstRefusal = async <Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> =>
  until('a refusal', async () => {
    const answer = await ask();
    return answer.status === 429 && answer;
  });

describe('the limit on requests of any kind from one address', () => {
  it('counts REST and GraphQL together, and answers with Retry-After', async () => {
    const headers = from('198.51.100.70');
    for (let count = 0; count < 20; count++)
      expect((await send(server, 'GET', '/api/advertisingTickets', { headers })).status).not.toBe(429);
    for (let count = 0; count < 5; count++)
      expect((await graphql(server, '{ __typename }', {}, headers)).status).toBe(200);

    const refused = await firstRefusal(() => send(server, 'GET', '/api/advertisingTickets', { headers }));
    expect(refused.json.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await firstRefusal(() => graphql(server, '{ __typename }', {}, headers));
    const elsewhere = { headers: from('198.51.100.71') };
    expect((await send(server, 'GET', '/api/advertisingTickets', elsewhere)).status).not.toBe(429);
  });

  it('shows a buyer who goes to pay a page, in three languages', async () => {
    const pay = () =>
      fetch(new URL('/payment/process', server.url), {
        method: 'POST',
        headers: from('198.51.100.72', { accept: 'text/html,*/*;q=0.8' }),
        body: new URLSearchParams({ orderNo: 'ORD-1' }),
      });
    for (let count = 0; count < 25; count++) expect((await pay()).status).not.toBe(429);

    const refused = await firstRefusal(pay);
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const page = await refused.text();
    for (const words of ['Terlalu banyak percubaan', 'There were too many attempts', '尝试次数过多'])
      expect(page).toContain(words);
  });
});
