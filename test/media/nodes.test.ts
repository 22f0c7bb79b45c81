import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { distributed } from '../support/servers/server-process.ts';
import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import type { Json } from '../support/json.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';

/** A node that answers every request with its name; hushed, it takes requests and never answers. */
interface Node {
  port: number;
  server: Server;
  isHushed: boolean;
}

let foyer: HostedServer;
let owner: { headers: Record<string, string> };
const nodes: Node[] = [];

async function aNode(name: string): Promise<Node> {
  const node = { port: 0, isHushed: false };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.toArray()).join('');
    if (node.isHushed) return;
    response.writeHead(request.url === '/api/ping' ? 200 : 418);
    response.end(`${name}: ${request.method} ${request.url} ${body}`);
  };
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made = Object.assign(node, { server, port: (server.address() as AddressInfo).port });
  nodes.push(made);
  return made;
}

const at = ({ port }: Node, name = 'A node') => ({ name, host: '127.0.0.1', httpPort: port, apiPort: port });

beforeAll(async () => {
  // Polls nodes and origins more often than in production.
  foyer = await startServer({ LOGIN_FLOOR_MS: '50', NODE_POLL_MS: '300', ORIGIN_POLL_MS: '300' });
  owner = await logIn(foyer, 'admin@foyer.test', 'PLATFORM');
});
afterAll(async () => {
  await closeServer(foyer);
  for (const { server } of nodes) server.close().closeAllConnections();
});

describe.each(['/streamers', '/caches', '/load-balancers'])('a node under %s', (path) => {
  it('is registered, read, listed, changed and removed', async () => {
    const node = await aNode(path);
    const made = await send(foyer, 'POST', path, { body: at(node) });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ success: true, data: { ...at(node), status: 'unknown', lastPingedAt: null } });
    const one = `${path}/${made.json.data.id}`;

    expect((await send(foyer, 'GET', one)).json).toEqual(made.json);
    expect((await send(foyer, 'GET', path)).json.data).toContainEqual(made.json.data);
    const changed = await send(foyer, 'PUT', one, { body: { name: 'Another name' } });
    expect(changed.json.data).toEqual({ ...made.json.data, name: 'Another name' });
    expect((await send(foyer, 'DELETE', one)).json).toEqual({ success: true, data: { id: made.json.data.id } });
    expect((await send(foyer, 'GET', one)).status).toBe(404);
    expect((await send(foyer, 'POST', `${one}/ping`)).status).toBe(404);
    expect((await send(foyer, 'GET', `${one}/proxy/x`)).status).toBe(404);
  });

  it('is online when it answers a ping, and offline when it does not within five seconds', async () => {
    const node = await aNode(path);
    const { json } = await send(foyer, 'POST', path, { body: at(node) });
    const ping = `${path}/${json.data.id}/ping`;
    const answered = await send(foyer, 'POST', ping);
    expect(answered.status).toBe(200);
    expect(answered.json).toEqual({ success: true, data: { status: 'online', pingedAt: expect.any(String) } });
    const seen = (await send(foyer, 'GET', `${path}/${json.data.id}`)).json.data;
    expect(seen.status).toBe('online');
    expect(Date.parse(seen.lastPingedAt)).toBeGreaterThanOrEqual(Date.parse(answered.json.data.pingedAt));

    node.isHushed = true;
    const begun = performance.now();
    expect((await send(foyer, 'POST', ping)).json.data.status).toBe('offline');
    expect(performance.now() - begun).toBeGreaterThan(4_500); // it waited five seconds
  });

  it('is checked again and again after the first check: its status changes without a call', async () => {
    const node = await aNode(path);
    const { json } = await send(foyer, 'POST', path, { body: at(node) });
    const status = async () => (await send(foyer, 'GET', `${path}/${json.data.id}`)).json.data.status;
    await send(foyer, 'POST', `${path}/${json.data.id}/ping`);
    node.server.close().closeAllConnections();
    await until('it to be offline', async () => (await status()) === 'offline');
    node.server.listen(node.port, '127.0.0.1');
    await until('it to be online', async () => (await status()) === 'online');
    expect(await status()).toBe('online');
  });

  it('is reached through the proxy, at its current address', async () => {
    const [old, young] = [await aNode('old'), await aNode('young')];
    const { json } = await send(foyer, 'POST', path, { body: at(old) });
    const ask = () => send(foyer, 'POST', `${path}/${json.data.id}/proxy/a%2Fb?x=%20+1`, { body: { any: 'thing' } });
    const first = await ask();
    expect([first.status, first.text]).toEqual([418, 'old: POST /a%2Fb?x=%20+1 {"any":"thing"}']);

    await send(foyer, 'PUT', `${path}/${json.data.id}`, { body: { host: 'localhost', apiPort: young.port } });
    expect((await ask()).text).toMatch(/^young: /);
    expect((await send(foyer, 'POST', `${path}/${json.data.id}/ping`)).json.data.status).toBe('online');
  });

  it('is not found by a number in each response, and refused without one', async () => {
    const routes = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/ping'],
      ['GET', '/proxy/x'],
      ['POST', '/proxy'],
    ] as const;
    for (const [method, at] of routes) {
      const body = method === 'PUT' ? { body: { name: 'x' } } : {};
      const missing = await send(foyer, method, `${path}/999999${at}`, body);
      expect([method, at, missing.status, missing.json]).toEqual([
        method,
        at,
        404,
        expect.objectContaining({ code: 'NODE_NOT_FOUND', id: 999_999 }),
      ]);
      const malformed = await send(foyer, method, `${path}/1e3${at}`, body);
      expect([method, at, malformed.status, malformed.json.code]).toEqual([method, at, 400, 'VALIDATION_FAILED']);
    }
  });

  it('gets a path with a backslash, or the client a 400', async () => {
    const node = await aNode(path);
    const { json } = await send(foyer, 'POST', path, { body: at(node) });
    const { port } = new URL(foyer.url);
    for (const evil of ['/\\evil', '/\\', '/\\\\evil.test/x', '/%5Cevil']) {
      const url = `${path}/${json.data.id}/proxy${evil}`;
      const status = await new Promise<number>((resolve, reject) => {
        const asked = httpRequest({ port, path: url }, (answer) => resolve(answer.resume().statusCode ?? 0));
        asked.on('error', reject).end();
      });
      // Over the network, from the gateway to media, a URL can't carry it.
      expect([evil, status]).toEqual([evil, distributed && evil.includes('\\') ? 400 : 418]);
    }
  });

  it.each(['http://node', 'node:80', 'user@node', '169.254.169.254', '0.0.0.0', 'ff02::1', 'metadata.google.internal'])(
    'is never at %s',
    async (host) => {
      const { status } = await send(foyer, 'POST', path, { body: { name: 'x', host, httpPort: 80, apiPort: 80 } });
      expect(status).toBe(400);
    },
  );

  it('has ports from 1 to 65535', async () => {
    for (const apiPort of [0, 65_536, 1.5, '080', '65536', '1.5', 'http']) {
      const body = { name: 'x', host: 'node', httpPort: 80, apiPort };
      expect((await send(foyer, 'POST', path, { body })).status).toBe(400);
    }
  });
});

describe.each([
  ['Streamer', 'streamer', 'streamers'],
  ['CacheNode', 'cacheNode', 'cacheNodes'],
  ['LoadBalancerNode', 'loadBalancerNode', 'loadBalancerNodes'],
])('a %s in GraphQL', (type, one, all) => {
  const facts = 'id name host httpPort apiPort status lastPingedAt';
  const ask = async (query: string, variables: object, headers = owner.headers): Promise<Json> =>
    graphql(foyer, query, variables, headers);

  it('behaves the same', async () => {
    const node = await aNode(type);
    const made = await ask(`mutation ($input: CreateNodeInput!) { node: create${type}(input: $input) { ${facts} } }`, {
      input: at(node),
    });
    expect(made.data.node).toMatchObject({ ...at(node), status: 'unknown' });
    const { id } = made.data.node;
    const pinged = await ask(`mutation ($id: ID!) { ping: ping${type}(id: $id) { status } }`, { id });
    expect(pinged.data.ping.status).toBe('online');
    const changed = await ask(
      `mutation ($input: UpdateNodeInput!) { node: update${type}(input: $input) { name status } }`,
      { input: { id, name: 'Renamed' } },
    );
    expect(changed.data.node).toEqual({ name: 'Renamed', status: 'online' });
    const found = await ask(`query ($id: ID!) { node: ${one}(id: $id) { name } }`, { id });
    expect(found.data.node.name).toBe('Renamed');
    const listed = await ask(`{ nodes: ${all}(first: 100) { edges { node { id } } } }`, {});
    expect(listed.data.nodes.edges.map(({ node: { id: each } }: Json) => each)).toContain(id);
    expect((await ask(`mutation ($id: ID!) { delete${type}(id: $id) }`, { id })).errors).toBeUndefined();
    const gone = await ask(`query ($id: ID!) { node: ${one}(id: $id) { name } }`, { id });
    expect(gone.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'NODE_NOT_FOUND' });
  });

  it('is not found by an id that is no number, which the error does not turn into one', async () => {
    for (const id of ['nonsense', '1e3', '999999999']) {
      const { errors } = await ask(`query ($id: ID!) { node: ${one}(id: $id) { name } }`, { id });
      const { reason, id: named } = errors[0].extensions;
      expect([id, reason, named]).toEqual([id, 'NODE_NOT_FOUND', id === '999999999' ? 999_999_999 : undefined]);
    }
  });

  it('is registered only by staff of the platform', async () => {
    const viewer = await logIn(foyer, 'viewer@acme.test', 'ACME');
    const input = { name: 'x', host: 'node', httpPort: 80, apiPort: 80 };
    const source = `mutation ($input: CreateNodeInput!) { node: create${type}(input: $input) { id } }`;
    expect((await ask(source, { input }, viewer.headers)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ask(source, { input }, {})).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});
