import { beforeAll, describe, expect, it } from 'vitest';

import { crossSite } from '@foyer/shared/http/browsers/cross-site';

import * as asking from './support/raw-requests.ts';
import { changing, documentedRoutes, type RestRoute } from './support/tables/rest-routes.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { createOrganization, PASSWORD } from './support/fixtures/organization.ts';

const JSON_TYPE = 'application/json';
const bytes = (text: string) => new TextEncoder().encode(text);

let server: SharedServer;
let routes: RestRoute[];

beforeAll(async () => {
  server = await sharedServer();
  const all = changing(await documentedRoutes(server));
  routes = all.filter(({ key, takes }) => takes.includes(JSON_TYPE) && key !== 'POST /graphql');
});

/** The answer of each route to a body that is not JSON: only a route that parses it as JSON detects that. */
async function saidTo(type: string | undefined, body = bytes('{ no JSON')) {
  const said: [string, number][] = [];
  for (const route of routes) {
    const { status } = await asking.ask(server, route, { body, ...(type !== undefined && { type }) });
    said.push([route.key, status]);
  }
  return said;
}

describe('a body', () => {
  it.each([undefined, 'application/vnd.api+json', 'Application/Problem+JSON; charset=utf-8'])(
    'of the type %s is read as JSON by every route that takes JSON',
    async (type) => {
      expect(routes.length).toBeGreaterThan(60);
      expect(await saidTo(type)).toEqual(await saidTo(JSON_TYPE));
    },
  );

  it.each([undefined, 'application/vnd.api+json'])('of the type %s signs somebody in', async (type) => {
    const { companyCode, mail } = await createOrganization(server);
    const sent = JSON.stringify({ username: mail('admin'), password: PASSWORD, company_code: companyCode });
    const login = { method: 'POST', path: '/api/v1/login' };
    const { status } = await asking.ask(server, login, { body: bytes(sent), ...(type !== undefined && { type }) });
    expect(status).toBe(200);
  });

  it('that is not UTF-8 is refused like one that is not JSON, and never read with other characters', async () => {
    const latin1 = Uint8Array.from(Buffer.from('{"buyerName":"José"}', 'latin1'));
    expect(await saidTo(JSON_TYPE, latin1)).toEqual(await saidTo(JSON_TYPE));
  });

  it.each(['application/xml', 'application/octet-stream', 'application/jsonp', 'text/json+json'])(
    'of the type %s is 415',
    async (type) => {
      const login = { method: 'POST', path: '/api/v1/login' };
      expect((await asking.ask(server, login, { body: bytes('{}'), type })).status).toBe(415);
    },
  );

  it.each(['application/xml', 'application/octet-stream', 'text/plain', '*/*'])(
    'that is empty counts as none, even of the type %s',
    async (type) => {
      const token = { method: 'POST', path: '/payment/generateToken' };
      expect((await asking.ask(server, token, { type })).status).toBe(200);
    },
  );

  it('without a type, which any page can send without a preflight, is refused from another site', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const cookie = 'access_token=of somebody';
      const sent = { body: bytes('{}'), headers: { ...headers, cookie } };
      const taken = await asking.those(server, routes, sent, ({ text }) => !text.includes('"FOREIGN_ORIGIN"'));
      expect(taken.filter((key) => !(key in crossSite))).toEqual([]);
    }
  });
});
