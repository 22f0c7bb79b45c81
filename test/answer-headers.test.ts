import { beforeAll, describe, expect, it } from 'vitest';

import * as asking from './support/raw-requests.ts';
import { send, logIn } from './support/fixtures/people.ts';
import { documentedRoutes, type RestRoute } from './support/tables/rest-routes.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { CONSOLE_ORIGIN as CONSOLE } from './support/servers/shared-settings.ts';

const STRANGER = 'https://evil.example';

let server: SharedServer;
let routes: RestRoute[];
let admin: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  routes = await documentedRoutes(server);
  admin = (await logIn(server, 'orgadmin@acme.test', 'ACME')).headers;
});

const ask = (route: Pick<RestRoute, 'method' | 'path'>, sent?: asking.Sent) => asking.ask(server, route, sent);
const those = (
  among: readonly RestRoute[],
  ...by: [asking.Sent, (answer: asking.Answer, route: RestRoute) => boolean]
) => asking.those(server, among, ...by);

const list = (value: string | null) => (value ?? '').split(',').map((name) => name.trim().toLowerCase());
const sharedWith = (origin: string, { headers }: { headers: Headers }) =>
  headers.get('access-control-allow-origin') === origin && headers.get('access-control-allow-credentials') === 'true';
const isFile = ({ path }: { path: string }) => path.startsWith('/assets/');

describe('pages of allowed origins', () => {
  const preflight = (origin: string) => ({
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });

  it('get from every route the headers that they may send', async () => {
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

  it('read the answers of every route, errors too', async () => {
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
    expect(readable).not.toContain('upload-expires'); // of an extension that uploads do not have
  });

  it('are only those: no answer is shared with others', async () => {
    const among = [...routes, ...routes.map((route) => ({ ...route, method: 'OPTIONS' }))].filter(
      (route) => !isFile(route),
    );
    for (const sent of [preflight(STRANGER), { headers: { origin: STRANGER } }, {}]) {
      expect(await those(among, sent, ({ headers }) => headers.has('access-control-allow-origin'))).toEqual([]);
    }
  });

  it('and all others get 204 to a preflight, and only the former are allowed anything', async () => {
    const asking = routes.filter((route) => !isFile(route)).map((route) => ({ ...route, method: 'OPTIONS' }));
    // Nodes answer for themselves through the proxy, and tus does on uploads.
    const others = asking.filter(({ path }) => !/\/proxy\b|^\/files/.test(path));
    expect(others.length).toBeGreaterThan(100);
    const wrong = await those(others, preflight(STRANGER), ({ status, text, headers }) => {
      const allows = [...headers.keys()].filter((name) => name.startsWith('access-control-allow'));
      return status !== 204 || text !== '' || allows.length > 0;
    });
    expect(wrong).toEqual([]);
    const nowhere = { method: 'OPTIONS', path: '/api/v1/login' };
    expect((await ask(nowhere, { headers: { origin: STRANGER } })).status).toBe(404); // sends no preflight
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

  it('upload: the answers of tus are shared like the rest', async () => {
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': 'uploadToken bm9uZQ==' };
    const refused = await ask({ method: 'POST', path: '/files' }, { headers: { ...tus, origin: CONSOLE } });
    expect([refused.status >= 400, sharedWith(CONSOLE, refused)]).toEqual([true, true]);
  });

  it('and all others play videos and show files, without a session', async () => {
    for (const origin of [CONSOLE, STRANGER]) {
      const rangePreflight = {
        ...preflight(origin).headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'range',
      };
      const [missing, may] = [
        await ask({ method: 'GET', path: '/assets/none.m3u8' }, { headers: { origin } }),
        await ask({ method: 'OPTIONS', path: '/assets/none.m3u8' }, { headers: rangePreflight }),
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
  /** Answers that any cache may keep. */
  const forAll: Record<string, string> = {
    'GET /.well-known/jwks.json': 'public, max-age=300',
    'GET /.well-known/ticket-keys.json': 'public, max-age=300',
    'GET /openapi.json': 'no-cache',
  };

  it.each([
    ['nobody', () => ({})],
    ['an administrator', () => admin],
  ])('to %s are not cached, and not sniffed for another type', async (_who, headers) => {
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

  it('of GraphQL are not cached either', async () => {
    for (const query of ['{ __typename }', '{ nothing }', '{ me { user { id } } }']) {
      const { headers } = await send(server, 'POST', '/graphql', { body: { query }, headers: admin });
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
    }
  });
});
