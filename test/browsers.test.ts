import { beforeAll, describe, expect, it } from 'vitest';

import { crossSite } from '@foyer/shared/http/browsers/cross-site';

import * as asking from './support/raw-requests.ts';
import { changing, documentedRoutes, loginForms, type RestRoute } from './support/tables/rest-routes.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { CONSOLE_ORIGIN as CONSOLE } from './support/servers/shared-settings.ts';

const STRANGER = 'https://evil.example';
const FORM = 'application/x-www-form-urlencoded';

let server: SharedServer;
let writing: RestRoute[];

beforeAll(async () => {
  server = await sharedServer();
  const bank = { key: 'POST /sim/bank/*', method: 'POST', path: '/sim/bank/nothing', takes: [] };
  writing = [...changing(await documentedRoutes(server)), ...loginForms(), bank];
});

const ask = (route: Pick<RestRoute, 'method' | 'path'>, sent?: asking.Sent) => asking.ask(server, route, sent);
const those = (
  among: readonly RestRoute[],
  ...by: [asking.Sent, (answer: asking.Answer, route: RestRoute) => boolean]
) => asking.those(server, among, ...by);

const upgrade = (path: string, headers: Record<string, string>) => asking.upgrade(server, path, headers);

const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 403 && text.includes('"FOREIGN_ORIGIN"');

describe('a page of another site', () => {
  it.each([
    ['says where it is from', { origin: STRANGER }],
    ['is in a sandbox', { origin: 'null' }],
    ['is of our host, by another port', { origin: 'http://localhost:1' }],
    ['does not say where it is from', { 'sec-fetch-site': 'cross-site' }],
  ])('that %s can change nothing, except by the routes of the table', async (_what, headers) => {
    const let_in = await those(
      writing,
      { headers, type: 'application/json', body: '{}' },
      (answer) => !isRefused(answer),
    );
    expect(let_in).toEqual(Object.keys(crossSite).filter((key) => key.startsWith('POST')));
    expect(writing.length).toBeGreaterThan(100);
  });

  it('is anonymous where it may post: the session is ignored', async () => {
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

  it.each([CONSOLE, undefined])('is neither an allowed origin nor a client without a page: %s', async (origin) => {
    expect(
      await upgrade('/graphql', {
        ...(origin !== undefined && { origin }),
        'sec-websocket-protocol': 'graphql-transport-ws',
      }),
    ).toBe(101);
  });
});

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

  it('are documented only for the payment and the pages of the login app', () => {
    expect(documented(FORM)).toEqual(['POST /payment/process', ...loginForms().map(({ key }) => key)]);
  });

  it('are the only bodies of those routes', async () => {
    const expecting = writing.filter(({ takes }) => takes.includes(FORM));
    expect(await those(expecting, { type: 'application/json', body: '{}' }, ({ status }) => status !== 415)).toEqual(
      [],
    );
  });

  it('that are empty count as no body: many clients name a type and send nothing', async () => {
    const { status } = await ask({ method: 'POST', path: '/payment/generateToken' }, { type: FORM, body: '' });
    expect(status).toBe(200);
  });
});
