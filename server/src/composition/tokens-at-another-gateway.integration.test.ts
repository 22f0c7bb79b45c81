import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readSettings } from '@foyer/gateway/configuration-file/settings';
import { openStandalone, type Standalone } from '@foyer/gateway/standalone';
import { serveSubgraph, type RemoteSubgraph } from '@foyer/gateway/testing/remote-shops';
import { shops, supergraphAt } from '@foyer/gateway/testing/shops';
import { startTestIdentity, type TestIdentity } from '@foyer/identity/testing/test-identity';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let identity: TestIdentity;
let keys: FastifyInstance;
let users: RemoteSubgraph;
let gateway: Standalone;
let folder: string;

beforeAll(async () => {
  identity = await startTestIdentity();
  keys = Fastify();
  await keys.register(identity.subgraph.routes);
  const url = `${await keys.listen({ port: 0, host: '127.0.0.1' })}/.well-known/jwks.json`;
  const { users: schema } = shops.schemas;
  if (!schema) throw new Error('the shops have no users');
  users = await serveSubgraph(schema);
  folder = await mkdtemp(join(tmpdir(), 'foyer-gateway-'));
  const supergraphSdl = supergraphAt({ users: users.url });
  const [supergraph, config] = [join(folder, 'supergraph.graphql'), join(folder, 'gateway.json')];
  await writeFile(supergraph, supergraphSdl);
  const issuer = claimsOf(await token())['iss'];
  await writeFile(
    config,
    JSON.stringify({
      authentication: { jwt: { jwks: [{ url, issuer }] } },
      headers: { all: { request: [{ insert: { name: 'x-user-id', claim: 'sub' } }] } },
    }),
  );
  const settings = await readSettings({ PORT: '0' }, { supergraph, config });
  gateway = await openStandalone({ settings, supergraphSdl, log: openLog('silent') });
});
afterAll(async () => {
  await gateway?.stop();
  await users?.die();
  await keys?.close();
  await identity?.stop();
  await rm(folder, { recursive: true });
});

/** The claims of a token, unverified. */
const claimsOf = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const token = async () => (await identity.loggedIn('orgadmin@acme.test', 'ACME')).accessToken;

const asked = async (bearer: string) => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ query: '{ me { name } }' }),
  });
  await response.text();
  return response.status;
};

describe("a standalone gateway with Foyer's key set", () => {
  it("takes Foyer's access tokens, and tells subgraphs whose they are", async () => {
    const bearer = await token();

    expect(await asked(bearer)).toBe(200);
    expect(users.requests.at(-1)?.headers['x-user-id']).toBe(claimsOf(bearer)['sub']);
  });

  it('refuses one that was changed', async () => {
    const bearer = await token();
    const [head, , signature] = bearer.split('.');
    const claims = { ...claimsOf(bearer), sub: 'somebody-else' };
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');

    expect(await asked([head, changed, signature].join('.'))).toBe(401);
  });
});
