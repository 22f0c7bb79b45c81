import { databaseLine, type DatabaseLine } from '@foyer/prisma/testing/database-line';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { routes } from '@foyer/rest-compat/routes';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rootFields } from './support/tables/access-rules.ts';
import { exampleCall } from './support/tables/example-calls.ts';
import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { decide, goToTheBank, placeOrder } from './support/servers/bank.ts';
import { DEMO_PASSWORD, send, logIn, logInCustomer } from './support/fixtures/people.ts';

const SOME_ID = '0a0c0000-0000-4000-8000-0000000000ee';

let database: TestDatabase;
let line: DatabaseLine;
let server: HostedServer;
let headers: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase('seeds');
  line = await databaseLine(database.url);
  server = await startServer({ DATABASE_URL: line.url, LOGIN_FLOOR_MS: '50', INTERNAL_PSK });
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
});
afterAll(async () => {
  line.breaks(undefined);
  await closeServer(server);
  await line.stop();
  await database.drop();
});

interface Operation {
  name: string;
  ask(): ReturnType<typeof send>;
}

/** Every REST route, called by an administrator with ids of nothing. */
const overRest: Operation[] = routes.map(({ method, url }) => {
  const path = url
    .replaceAll(/:(campaignId|orgId|workspaceId|wid|uid|tid|profileId)/g, SOME_ID)
    .replaceAll(/:\w+/g, '9');
  const sent = () => ({ ...headers, 'x-workspace-id': SOME_ID, 'x-internal-token': INTERNAL_PSK });
  return { name: `${String(method)} ${url}`, ask: () => send(server, String(method), path, { headers: sent() }) };
});

/** Every query and mutation, with well-formed arguments. */
const overGraphql: Operation[] = rootFields
  .filter(({ type }) => type !== 'Subscription')
  .map((field) => ({
    name: `${field.type}.${field.name}`,
    ask: () => send(server, 'POST', '/graphql', { headers, body: exampleCall(field, {}) }),
  }));

type Answer = Awaited<ReturnType<typeof send>>;

/** The status and `Retry-After` of an answer that reports the database as busy; undefined for any other answer. */
const busyOf = ({ status, headers: told, json }: Answer) => {
  const code = json?.code ?? json?.errors?.[0]?.extensions?.reason;
  // After five seconds it is unknown, too, whether the caller is still logged in.
  return ['DATABASE_BUSY', 'REVOCATION_UNKNOWN'].includes(code) ? [status, told.get('retry-after')] : undefined;
};

describe('while the database accepts connections and drops them', () => {
  it.each([
    ['REST route', () => overRest],
    ['query and mutation', () => overGraphql],
  ])(
    'every %s that needs it answers 503 with Retry-After, and none answers 500, or 400 because of it',
    async (_what, all) => {
      const operations = all();
      line.breaks('heard');
      const answers: [Operation, Answer][] = [];
      for (const one of operations) answers.push([one, await one.ask()]);
      line.breaks(undefined);

      const busy = answers.filter(([, answer]) => busyOf(answer));
      expect(busy.map(([{ name }, answer]) => [name, ...(busyOf(answer) ?? [])])).toEqual(
        busy.map(([{ name }]) => [name, 503, '1']),
      );
      expect(busy.length).toBeGreaterThan(30); // the others are refused before they need the database
      expect(answers.filter(([, { status }]) => status === 500).map(([{ name }]) => name)).toEqual([]);
      expect(
        answers.filter(([, { text }]) => text.includes('INTERNAL_SERVER_ERROR')).map(([{ name }]) => name),
      ).toEqual([]);
      // Invalid arguments are refused whether there is a database or not.
      const notUnderstood = answers.filter(([, { status }]) => status === 400).map(([one]) => one);
      const ready = async () => (await send(server, 'GET', '/health/ready')).status;
      await expect.poll(ready, { timeout: 90_000 }).toBe(200);
      const again = await Promise.all(notUnderstood.map(async ({ name, ask }) => [name, (await ask()).status]));
      expect(again).toEqual(notUnderstood.map(({ name }) => [name, 400]));
    },
  );

  it('login answers 503, too, and works as soon as connections hold', async () => {
    const body = { username: 'orgadmin@acme.test', password: DEMO_PASSWORD, company_code: 'ACME' };
    const login = async () => (await send(server, 'POST', '/api/v1/login', { body })).status;
    line.breaks('heard');

    expect(await login()).toBe(503);

    line.breaks(undefined);
    await expect.poll(login).toBe(200);
  });
});

describe('a buyer who comes back from the bank while the database drops connections', () => {
  /** The pages that their browser opens: with the message of the bank, with their order, with nonsense. */
  let paths: string[];
  let orderNo: string;
  beforeAll(async () => {
    const order = await placeOrder(server, await logInCustomer(server));
    ({ orderNo } = order);
    const back = await decide(await goToTheBank(server, orderNo), 'approve');
    paths = [
      back.pathname + back.search,
      `/payment/success?orderNo=${orderNo}`,
      `/payment/failure?orderNo=${orderNo}&code=REVIEW`,
      '/payment/success?orderNo=ORD-20300101-0123456789ABC&status=SUCCESS',
    ];
  });
  afterAll(() => line.breaks(undefined));

  const open = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, server.url), { headers, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const browser = (languages: string) => ({ accept: 'text/html,*/*;q=0.8', 'accept-language': languages });

  it.each([
    ['ms-MY,en;q=0.5', 'ms', ['Bayaran anda selamat']],
    ['en-GB', 'en', ['Your payment is safe']],
    ['zh-CN', 'zh-Hans', ['您的付款是安全的']],
    ['fr', 'ms', ['Bayaran anda selamat', 'Your payment is safe', '您的付款是安全的']],
  ])('reads in %s that the payment is safe, on a page that reloads itself', async (languages, lang, titles) => {
    line.breaks('heard');
    for (const path of paths) {
      const { status, headers: told, text } = await open(path, browser(languages));

      expect({ path, status, type: told.get('content-type') }).toEqual({
        path,
        status: 503,
        type: 'text/html; charset=utf-8',
      });
      expect(text).toContain(`<html lang="${lang}">`);
      expect([...text.matchAll(/<h1[^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual(titles);
      expect(text).toMatch(/<meta http-equiv="refresh" content="\d+">/);
      expect(told.get('retry-after')).toBe('1');
    }
  });

  it('the server of the bank gets the documented error, so that it tries again', async () => {
    line.breaks('heard');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { status, text } = await open(paths[0] ?? '', headers);

      expect([status, JSON.parse(text)]).toEqual([503, expect.objectContaining({ code: 'DATABASE_BUSY' })]);
    }
    // The default of Java, without a language; fetch would add one.
    const java = await request(new URL(paths[0] ?? '', server.url), {
      headers: { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
    });
    expect([java.statusCode, await java.body.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'DATABASE_BUSY' }),
    ]);
  });

  it('a payment that can not be started is explained, and its form is not sent again', async () => {
    line.breaks('heard');
    const response = await fetch(new URL('/payment/process', server.url), {
      method: 'POST',
      headers: { ...browser('en'), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ orderNo }),
    });

    const text = await response.text();
    expect([response.status, text.includes('The payment has not started')]).toEqual([503, true]);
    expect(text).not.toContain('http-equiv="refresh"');
  });

  it('gets to the result of the payment by the same address, as soon as connections hold', async () => {
    line.breaks(undefined);
    const landed = async () => (await open(paths[0] ?? '', browser('en'))).headers.get('location');
    await expect.poll(landed, { timeout: 60_000 }).toBe(`/payment/success?orderNo=${orderNo}`);
    expect((await open(`/payment/success?orderNo=${orderNo}`, browser('en'))).text).toContain('Thank you');
  });
});
