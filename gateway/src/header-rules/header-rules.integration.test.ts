import { describe, expect, it } from 'vitest';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

const { ask, at, open, post, streamUrl } = gatewayOverRemoteShops();

const me = '{ me { name } }';
const joined = '{ lastReview { author { name } } }';

const openWith = (configuration: string, env: Record<string, string> = {}) => open(env, { configuration });
const received = (subgraph: string) => at(subgraph).requests.map(({ headers }) => headers);

describe('the headers of requests', () => {
  it('reach the subgraphs by the rules for all, and by those for each', async () => {
    await openWith(`
headers:
  all:
    request:
      - propagate: { matching: ^x-acme- }
      - propagate: { named: X-Region, default: my }
      - propagate: { named: x-client, rename: x-acme-client }
      - remove: { named: x-acme-debug }
      - insert: { name: x-gateway, value: foyer }
  subgraphs:
    users:
      request:
        - propagate: { named: authorization }
        - remove: { matching: tenant$ }
`);

    await ask(joined, {
      'x-acme-tenant': 't',
      'x-acme-debug': 'yes',
      'x-client': 'web',
      'x-other': 'o',
      authorization: 'Bearer a',
    });

    const [reviews = {}] = received('reviews');
    const [users = {}] = received('users');
    const forAll = { 'x-region': 'my', 'x-acme-client': 'web', 'x-gateway': 'foyer' };
    expect(reviews).toMatchObject({ ...forAll, 'x-acme-tenant': 't', 'content-type': 'application/json' });
    expect(users).toMatchObject({ ...forAll, authorization: 'Bearer a' });
    for (const name of ['authorization', 'x-acme-debug', 'x-client', 'x-other'])
      expect(reviews).not.toHaveProperty(name);
    for (const name of ['x-acme-tenant', 'x-acme-debug']) expect(users).not.toHaveProperty(name);
  });

  it('are never those of the connection, though a pattern fits them', async () => {
    await openWith('headers: { all: { request: [{ propagate: { matching: .* } }] } }');

    await ask(me, { 'accept-encoding': 'gzip', te: 'trailers', 'x-request-id': 'abc', accept: 'application/json' });

    const [headers = {}] = received('users');
    expect(headers.host).toBe(new URL(at('users').url).host);
    expect(headers.accept).toContain('application/graphql-response+json');
    expect(Object.keys(headers)).not.toContain('te');
    expect(Object.keys(headers)).not.toContain('accept-encoding');
  });

  it('of FORWARD_HEADERS reach all subgraphs, whatever the file says', async () => {
    await openWith('headers: { all: { request: [{ remove: { named: x-a } }] } }', { FORWARD_HEADERS: 'x-a' });

    await ask(me, { 'x-a': '1' });

    expect(received('users')).toMatchObject([{ 'x-a': '1' }]);
  });

  it('decide which equal queries are sent once: those that the subgraph can not tell apart', async () => {
    await openWith('headers: { subgraphs: { users: { request: [{ propagate: { named: authorization } }] } } }');
    at('users').delayMs = 100;
    at('reviews').delayMs = 100;
    const asAll = (query: string) => Promise.all(['a', 'b', 'a'].map((authorization) => ask(query, { authorization })));

    await Promise.all([asAll(me), asAll('{ lastReview { stars } }')]);

    expect(received('users')).toHaveLength(2);
    expect(received('reviews')).toHaveLength(1);
  });

  it('reach the subgraph of a subscription, too', async () => {
    await openWith('headers: { subgraphs: { reviews: { request: [{ insert: { name: x-key, value: k } }] } } }');
    const client = aClient(streamUrl());
    const { leave } = watch(client, 'subscription { reviewed { stars } }');

    await expect.poll(() => shops.watchers()).toBe(1);

    expect(at('reviews').handshakes).toMatchObject([{ 'x-key': 'k' }]);
    leave();
    await expect.poll(() => shops.watchers()).toBe(0);
    await client.dispose();
  });
});

describe('a WebSocket greeting whose texts count as headers', () => {
  const upgrade = { 'x-proxy-user': 'alice', authorization: 'Bearer of-the-upgrade', cookie: 'session=mine' };

  /** The headers that a subgraph gets, beside its own, for a query on a WebSocket. */
  async function receivedFor(connectionParams: Record<string, string>, headers: Record<string, string> = {}) {
    await openWith('headers: { all: { request: [{ propagate: { matching: .* } }] } }');
    const client = aClient(streamUrl(), { connectionParams, headers });
    await watch(client, '{ me { name } }').ended;
    await client.dispose();
    return received('users').at(-1) ?? {};
  }

  it('leaves those of the upgrade as they are without any', async () => {
    expect(await receivedFor({}, upgrade)).toMatchObject(upgrade);
  });

  it('adds names that the upgrade lacks, and replaces nothing but the credential', async () => {
    const greeting = {
      'X-Proxy-User': 'admin',
      'x-tenant': 't',
      Authorization: 'Bearer of-the-greeting',
      cookie: 'a=b',
    };

    expect(await receivedFor(greeting, upgrade)).toMatchObject({
      'x-proxy-user': 'alice',
      'x-tenant': 't',
      authorization: 'Bearer of-the-greeting',
      cookie: 'session=mine',
    });
  });

  it.each([
    'Cookie',
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-User',
    'X-Real-IP',
    'Host',
    'Origin',
    'Referer',
    'Via',
    'Sec-Fetch-Site',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'X-Request-Id',
    'no header',
  ])('adds no %s', async (name) => {
    const headers = await receivedFor({ [name]: 'made-up', 'x-tenant': 't' });

    expect(headers).toHaveProperty('x-tenant', 't');
    expect(Object.values(headers)).not.toContain('made-up');
  });
});

describe('the headers of responses', () => {
  /** Has subgraphs send headers with each answer. */
  function answerWith(headers: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>) {
    for (const [subgraph, given] of Object.entries(headers)) {
      at(subgraph).misbehave = (response) => {
        for (const [name, value] of Object.entries(given)) response.setHeader(name, value);
        return false;
      };
    }
  }

  it('are none without a rule', async () => {
    await openWith('');
    answerWith({ users: { 'x-cost': '1', 'set-cookie': 'session=theirs' } });

    const { headers } = await post(me);

    expect([headers.get('x-cost'), headers.get('set-cookie')]).toEqual([null, null]);
  });

  it('reach the client by the rules for all, and by those for each', async () => {
    await openWith(`
headers:
  all:
    response:
      - propagate: { matching: ^x- }
      - propagate: { named: server-timing, merge: append }
      - propagate: { named: x-first, merge: first }
      - insert: { name: x-served-by, value: foyer }
  subgraphs:
    users:
      response:
        - remove: { named: x-secret }
        - propagate: { named: x-cost, rename: x-cost-of-users }
        - propagate: { named: cache-control }
`);
    answerWith({
      reviews: { 'server-timing': 'db;dur=5', 'x-first': '1', 'x-last': '1' },
      users: {
        'server-timing': 'db;dur=7',
        'x-first': '2',
        'x-last': '2',
        'x-secret': 's',
        'x-cost': '3',
        'cache-control': 'max-age=60',
        'set-cookie': 'session=theirs',
        'content-language': 'en',
      },
    });

    const { headers } = await post(joined);

    expect(Object.fromEntries(headers)).toMatchObject({
      'server-timing': 'db;dur=5, db;dur=7',
      'x-first': '1',
      'x-last': '2',
      'x-cost-of-users': '3',
      'x-served-by': 'foyer',
      'cache-control': 'max-age=60',
      'content-type': 'application/json; charset=utf-8',
    });
    for (const name of ['x-secret', 'set-cookie', 'content-language']) expect(headers.get(name)).toBeNull();
  });

  it('may be cookies where a rule names them, and one that is set goes to one client only', async () => {
    await openWith('headers: { all: { response: [{ propagate: { named: set-cookie, merge: append } }] } }');
    answerWith({ users: { 'set-cookie': ['a=1', 'b=2'] } });
    at('users').delayMs = 100;

    const answers = await Promise.all([post(me), post(me), post(me)]);

    expect(at('users').requests).toHaveLength(1);
    expect(
      answers.map(({ headers }) => headers.getSetCookie()).toSorted((one, other) => other.length - one.length),
    ).toEqual([['a=1', 'b=2'], [], []]);
  });

  it('are not those of events', async () => {
    await openWith('headers: { all: { response: [{ propagate: { named: set-cookie } }] } }');
    answerWith({ users: { 'set-cookie': 'a=1' } });

    const response = await post('{ me { name } }', { accept: 'text/event-stream' });

    expect(await response.text()).toContain('Aminah');
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});
