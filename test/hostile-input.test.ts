import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import {
  attackGraphql,
  attackRest,
  attackTus,
  attackWebSocket,
  type Attacked,
  type Call,
  type RestRoute,
} from './support/tables/attacks.ts';
import { rootFields } from './support/tables/access-rules.ts';
import { beside, bugsIn, faultsOf } from './support/attacked.ts';
import { exampleCall } from './support/tables/example-calls.ts';
import type { Hostile } from './support/tables/hostile.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import type { Json } from './support/json.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { graphql, send, logIn } from './support/fixtures/people.ts';
import { createUpload } from './support/tus.ts';
import { prepareUpload } from './support/fixtures/uploads.ts';

let server: ServerProcess;
/** The headers of the attacker, who has many rights in their own organization, and of a client of another one. */
let headers: Record<string, string>;
let others: Record<string, string>;
let restRoutes: RestRoute[];
let uploads: string[];

beforeAll(async () => {
  server = await startServerProcess({
    LOGIN_FLOOR_MS: '50',
    INTERNAL_PSK,
    LOG_LEVEL: 'info',
    GRAPHQL_REQUESTS_PER_ADDRESS: '0',
    GRAPHQL_WS_MAX_MESSAGES: '0',
  });
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
  ({ headers: others } = await logIn(server, 'admin@foyer.test', 'PLATFORM'));
  restRoutes = routesIn((await send(server, 'GET', '/openapi.json')).json).filter(({ path }) => !ENDS_IT.test(path));
  uploads = await Promise.all([1, 2, 3].map(async (at) => beginUpload(`hostile-${at}.txt`)));
});
afterAll(() => stopServerProcess(server));

const bearer = (): [string, string][] => [['authorization', headers['authorization'] ?? '']];

async function beginUpload(fileName: string): Promise<string> {
  const token = await prepareUpload(server, { size: 5, fileName, folder: 'hostile', mediaType: 'other' });
  const { headers: told } = await createUpload(server, { token, size: 5 });
  return new URL(told.get('location') ?? '', server.url).pathname;
}

/** Every documented route, and those that carry bytes or pages. */
const routesIn = (document: Json): RestRoute[] => [
  ...Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => {
      const media: Json = Object.values(operation.requestBody?.content ?? {})[0];
      return { method: method.toUpperCase(), path, ...(media?.example && { body: media.example }) };
    }),
  ),
  ...['/streamers/:id/proxy/*', '/caches/:id/proxy/*', '/load-balancers/:id/proxy', '/proxy/*'].flatMap((path) =>
    ['GET', 'POST', 'DELETE'].map((method) => ({ method, path })),
  ),
  ...[
    '/',
    '/*',
    '/assets/*',
    '/docs/*',
    '/docs/api/:section',
    '/login',
    '/login/*',
    '/payment/*',
    '/demo/*',
    '/.well-known/*',
    '/api/v1/sessions/stream',
  ].map((path) => ({ method: 'GET', path })),
  { method: 'POST', path: '/hooks/tusd', body: { Type: 'pre-create', Event: { Upload: { ID: 'a' } } } },
];

/** Calls that would end the attacker's own session, and most of the attack with it. */
const ENDS_IT = /log-?out|revoke|password|sessions|disable|status$/i;

/** Every root field with well-formed arguments, and invalid operations. */
const calls: Call[] = [
  ...rootFields.filter(({ name }) => !ENDS_IT.test(name)).map((field) => exampleCall(field, {})),
  { query: '{ __schema { types { name fields { name } } } }' },
  { query: 'query ($x: Boolean = true) { __typename @include(if: $x) }' },
  { query: '{' },
  { query: '' },
];

/** A client of another organization, over GraphQL, REST and WebSocket. */
function somebodyElse() {
  const email = 'admin@foyer.test';
  const query = '{ me { user { email } } }';
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: others,
  });
  const stop = beside(async () => {
    const { data } = await graphql(server, query, {}, others);
    const { json } = await send(server, 'GET', '/api/v1/identity/users/me', { headers: others });
    const { value } = await client.iterate<Json>({ query }).next();
    const heard = [data?.me?.user?.email, json?.org?.role, value?.data?.me?.user?.email];
    return JSON.stringify(heard) === JSON.stringify([email, 'ORG_ADMIN', email]) || heard;
  });
  return async () => {
    const heard = await stop();
    await client.dispose();
    return heard;
  };
}

describe('hostile requests', () => {
  it.each<[string, (draw: Hostile) => Promise<Attacked>]>([
    ['GraphQL over HTTP and event streams', (draw) => attackGraphql(`${server.url}/graphql`, draw, calls, bearer())],
    [
      'GraphQL over WebSocket',
      (draw) => attackWebSocket(`${server.url.replace('http', 'ws')}/graphql`, draw, calls, headers),
    ],
    ['the upload protocol', (draw) => attackTus(server.url, draw, uploads)],
    ['REST', (draw) => attackRest(server.url, draw, draw.oneOf(restRoutes), bearer())],
  ])('over %s neither end the process, nor affect others, nor log a bug', async (_way, attack) => {
    const from = server.printed().length;
    const stop = somebodyElse();

    const faults = await faultsOf(attack);

    expect(await stop()).toEqual({ right: true, wrong: [] });
    expect(faults).toEqual([]);
    expect(bugsIn(server.printed().slice(from))).toEqual([]);
    expect((await fetch(new URL('/health/live', server.url))).status).toBe(200);
  });
});
