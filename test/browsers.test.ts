import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { crossSite } from '@foyer/shared/cross-site';

import { closeHouse, openHouse, type House } from './support/house.ts';
import { INTERNAL_PSK } from './support/office.ts';
import { send, signIn } from './support/people.ts';
import { changing, documentedRoutes, loginForms, type RestRoute } from './support/rest-routes.ts';

const CONSOLE = 'https://console.example';
const STRANGER = 'https://evil.example';
const FORM = 'application/x-www-form-urlencoded';

let house: House;
let routes: RestRoute[];
let writing: RestRoute[];
let admin: Record<string, string>;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK, ALLOWED_ORIGINS: CONSOLE });
  routes = await documentedRoutes(house);
  const bank = { key: 'POST /sim/bank/*', method: 'POST', path: '/sim/bank/nothing', takes: [] };
  writing = [...changing(routes), ...loginForms(), bank];
  admin = (await signIn(house, 'orgadmin@acme.test', 'ACME')).headers;
}, 120_000);
afterAll(() => closeHouse(house));

interface Sent {
  headers?: Record<string, string>;
  type?: string;
  body?: string;
}

/** Sends it as it is. */
async function ask({ method, path }: Pick<RestRoute, 'method' | 'path'>, { headers = {}, type, body }: Sent = {}) {
  const response = await fetch(new URL(path, house.url), {
    method,
    redirect: 'manual',
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(20_000),
  });
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (endless) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: endless ? '' : await response.text() };
}

/** The keys of those routes whose answer is such. */
async function those(
  among: readonly RestRoute[],
  sent: Sent,
  isSuch: (answer: Awaited<ReturnType<typeof ask>>, route: RestRoute) => boolean,
) {
  const found: string[] = [];
  for (const route of among) if (isSuch(await ask(route, sent), route)) found.push(route.key);
  return found;
}

const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 403 && text.includes('"FOREIGN_ORIGIN"');

describe('a page of another site', () => {
  it.each([
    ['says where it is from', { origin: STRANGER }],
    ['is in a sandbox', { origin: 'null' }],
    ['is of our host, by another port', { origin: 'http://localhost:1' }],
    ['does not say where it is from', { 'sec-fetch-site': 'cross-site' }],
  ])('that %s can change nothing, but by what the table names', async (_what, headers) => {
    const let_in = await those(
      writing,
      { headers, type: 'application/json', body: '{}' },
      (answer) => !isRefused(answer),
    );
    expect(let_in).toEqual(Object.keys(crossSite).filter((key) => key.startsWith('POST')));
    expect(writing.length).toBeGreaterThan(100);
  });

  it('is nobody where it may post: a session is not looked at', async () => {
    const processed = { method: 'POST', path: '/payment/process' };
    const form = { type: FORM, body: 'orderNo=none' };
    const [plain, withToken] = [
      await ask(processed, form),
      await ask(processed, { ...form, headers: { origin: STRANGER, authorization: 'Bearer not one of ours' } }),
    ];
    expect([plain.status, withToken.status]).toEqual([404, 404]);
  });

  it.each(['/graphql', '/sim/inbox/socket.io/?EIO=4&transport=websocket'])('opens no WebSocket at %s', async (path) => {
    expect(await upgrade(path, { origin: STRANGER })).toBe(403);
    expect(await upgrade(path, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it.each([CONSOLE, undefined])('is not one that is allowed, nor no page: %s', async (origin) => {
    expect(
      await upgrade('/graphql', {
        ...(origin !== undefined && { origin }),
        'sec-websocket-protocol': 'graphql-transport-ws',
      }),
    ).toBe(101);
  });
});

/** The status that answers the request for a WebSocket. */
function upgrade(path: string, headers: Record<string, string>): Promise<number> {
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
  const asked = request(new URL(path, house.url), {
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers },
  });
  return new Promise((resolve, reject) => {
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    asked.on('error', reject).end();
  });
}

describe('forms', () => {
  const documented = (type: string) => writing.filter(({ takes }) => takes.includes(type)).map(({ key }) => key);
  const verbatim = ({ key }: { key: string }) => /\{id\}\/proxy|\/sim\//.test(key);

  it.each([FORM, 'multipart/form-data; boundary=x', 'text/plain', 'Text/Plain ; charset=utf-8'])(
    'as %s are read by documented form routes, and are 415 everywhere else',
    async (type) => {
      const taken = await those(writing, { type, body: 'name=value' }, ({ status }) => status !== 415);
      expect(taken.filter((key) => !verbatim({ key }))).toEqual(type === FORM ? documented(FORM) : []);
    },
  );

  it('are documented for the payment and the pages of the login app alone', () => {
    expect(documented(FORM)).toEqual(['POST /payment/process', ...loginForms().map(({ key }) => key)]);
  });

  it('are all that those routes take', async () => {
    const expecting = writing.filter(({ takes }) => takes.includes(FORM));
    expect(await those(expecting, { type: 'application/json', body: '{}' }, ({ status }) => status !== 415)).toEqual(
      [],
    );
  });

  it('that are empty are no bodies: many clients name a type and send nothing', async () => {
    const { status } = await ask({ method: 'POST', path: '/payment/generateToken' }, { type: FORM, body: '' });
    expect(status).toBe(200);
  });
});

const list = (value: string | null) => (value ?? '').split(',').map((name) => name.trim().toLowerCase());
const sharedWith = (origin: string, { headers }: { headers: Headers }) =>
  headers.get('access-control-allow-origin') === origin && headers.get('access-control-allow-credentials') === 'true';
const isFile = ({ path }: { path: string }) => path.startsWith('/assets/');

describe('pages of allowed origins', () => {
  const preflight = (origin: string) => ({
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });

  it('are told of every route what they may send', async () => {
    const shared = routes.filter((route) => !isFile(route)).map((route) => ({ ...route, method: 'OPTIONS' }));
    const notTold = await those(
      shared,
      preflight(CONSOLE),
      (answer) => answer.status !== 204 || !sharedWith(CONSOLE, answer),
    );
    expect(notTold).toEqual([]);

    const { headers } = await ask({ method: 'OPTIONS', path: '/api/v1/login' }, preflight(CONSOLE));
    const may = list(headers.get('access-control-allow-headers'));
    expect(may).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'service-platform',
        'x-organization-id',
        'x-workspace-id',
        'last-event-id',
        'tus-resumable',
        'upload-offset',
        'upload-metadata',
        'idempotency-key',
        'range',
      ]),
    );
    expect(may).not.toContain('x-internal-token');
    expect(may).not.toContain('*');
    expect(list(headers.get('access-control-allow-methods'))).toEqual([
      'get',
      'head',
      'post',
      'put',
      'patch',
      'delete',
    ]);
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(600);
    expect(list(headers.get('vary'))).toContain('origin');
  });

  it('read what every route answers, errors too', async () => {
    const kept = await those(
      routes.filter((route) => !isFile(route)),
      { headers: { origin: CONSOLE } },
      (answer) => !sharedWith(CONSOLE, answer) || !list(answer.headers.get('vary')).includes('origin'),
    );
    expect(kept).toEqual([]);
    const readable = list(
      (await ask({ method: 'GET', path: '/nowhere' }, { headers: { origin: CONSOLE } })).headers.get(
        'access-control-expose-headers',
      ),
    );
    expect(readable).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'location',
        'retry-after',
        'etag',
        'content-range',
        'deprecation',
        'link',
        'upload-offset',
        'upload-length',
        'tus-resumable',
      ]),
    );
  });

  it('are none but those: no answer is shared with others', async () => {
    const among = [...routes, ...routes.map((route) => ({ ...route, method: 'OPTIONS' }))].filter(
      (route) => !isFile(route),
    );
    for (const sent of [preflight(STRANGER), { headers: { origin: STRANGER } }, {}]) {
      expect(await those(among, sent, ({ headers }) => headers.has('access-control-allow-origin'))).toEqual([]);
    }
  });

  it('follow event streams', async () => {
    const headers = { ...admin, origin: CONSOLE };
    expect(sharedWith(CONSOLE, await ask({ method: 'GET', path: '/api/v1/sessions/stream' }, { headers }))).toBe(true);
    const query = JSON.stringify({ query: 'subscription { sessionRevoked { sessionId } }' });
    const events = await ask(
      { method: 'POST', path: '/graphql' },
      { headers: { ...headers, accept: 'text/event-stream' }, type: 'application/json', body: query },
    );
    expect([events.headers.get('content-type'), sharedWith(CONSOLE, events)]).toEqual([
      'text/event-stream; charset=utf-8',
      true,
    ]);
  });

  it('upload: what tus answers past the server is shared like the rest', async () => {
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': 'uploadToken bm9uZQ==' };
    const refused = await ask({ method: 'POST', path: '/files' }, { headers: { ...tus, origin: CONSOLE } });
    expect([refused.status >= 400, sharedWith(CONSOLE, refused)]).toEqual([true, true]);
  });

  it('and all others play videos and show files, without a session', async () => {
    for (const origin of [CONSOLE, STRANGER]) {
      const asked = {
        ...preflight(origin).headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'range',
      };
      const [missing, may] = [
        await ask({ method: 'GET', path: '/assets/none.m3u8' }, { headers: { origin } }),
        await ask({ method: 'OPTIONS', path: '/assets/none.m3u8' }, { headers: asked }),
      ];
      expect([missing.status, may.status]).toEqual([404, 204]);
      for (const { headers } of [missing, may]) {
        expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
          '*',
          null,
        ]);
      }
      expect(list(may.headers.get('access-control-allow-headers'))).toContain('range');
    }
  });
});

describe('answers in JSON', () => {
  /** What anybody may keep, for as long as it says. */
  const forAll: Record<string, string> = {
    'GET /.well-known/jwks.json': 'public, max-age=300',
    'GET /.well-known/ticket-keys.json': 'public, max-age=300',
    'GET /openapi.json': 'no-cache',
  };

  it.each([
    ['nobody', () => ({})],
    ['an administrator', () => admin],
  ])('to %s are kept by no cache, and taken for nothing else', async (_who, headers) => {
    const kept: Record<string, string | null> = {};
    const sniffed: string[] = [];
    let seen = 0;
    // A form is refused before it can change anything.
    for (const route of [
      ...routes,
      { key: 'GET /openapi.json', method: 'GET', path: '/openapi.json' },
      { key: 'POST /graphql', method: 'POST', path: '/graphql' },
    ]) {
      const reads = route.method === 'GET';
      const answer = await ask(route, {
        headers: headers(),
        ...(!reads && route.method !== 'HEAD' && { type: 'text/plain', body: 'x' }),
      });
      if (!answer.headers.get('content-type')?.includes('json')) continue;
      seen += 1;
      if (answer.headers.get('cache-control') !== 'no-store') kept[route.key] = answer.headers.get('cache-control');
      if (answer.headers.get('x-content-type-options') !== 'nosniff') sniffed.push(route.key);
    }
    expect(kept).toEqual(forAll);
    expect(sniffed).toEqual([]);
    expect(seen).toBeGreaterThan(120);
  });

  it('of GraphQL are kept by no cache either', async () => {
    for (const query of ['{ __typename }', '{ nothing }', '{ me { user { id } } }']) {
      const { headers } = await send(house, 'POST', '/graphql', { body: { query }, headers: admin });
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
    }
  });
});
