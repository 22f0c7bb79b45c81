import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serveSubgraph, type RemoteSubgraph } from '@foyer/gateway/testing/remote-shops';
import { operations, shops, supergraphAt } from '@foyer/gateway/testing/shops';
import { freePort } from '@foyer/prisma/free-port';
import { createClient, type Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { beside, bugsIn, faultsOf } from './support/attacked.ts';
import { attackGraphql, attackWebSocket, type Attacked } from './support/tables/attacks.ts';
import type { Hostile } from './support/tables/hostile.ts';
import type { Json } from './support/json.ts';
import { exitOf } from './support/servers/spawned.ts';
import { until } from './support/until.ts';

const root = join(import.meta.dirname, '..');

let folder: string;
let subgraphs: Record<string, RemoteSubgraph>;
let gateway: ChildProcess;
let url: string;
let printed = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-hostile-'));
  const served = Object.entries(shops.schemas).map(
    async ([name, schema]) => [name, await serveSubgraph(schema)] as const,
  );
  subgraphs = Object.fromEntries(await Promise.all(served));
  const file = join(folder, 'supergraph.graphql');
  await writeFile(
    file,
    supergraphAt(Object.fromEntries(Object.entries(subgraphs).map(([name, at]) => [name, at.url]))),
  );
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}/graphql`;
  gateway = spawn(join(root, 'node_modules/.bin/node'), ['gateway/src/main.mjs', '--supergraph', file], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: port,
      LOG_LEVEL: 'info',
      FORWARD_HEADERS: 'authorization,x-tenant',
      GRAPHQL_REQUESTS_PER_ADDRESS: '0',
      GRAPHQL_WS_MAX_MESSAGES: '0',
      // A fault outside the subgraphs would show in everybody's answers.
      SUBGRAPH_BREAKER_FAILURES: '2',
      SUBGRAPH_BREAKER_MS: '60000',
      SUBGRAPH_RETRY_SHARE: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => gateway.kill('SIGKILL');
  process.once('exit', end);
  gateway.once('exit', () => process.off('exit', end));
  for (const stream of [gateway.stdout, gateway.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until('the gateway', async () => printed.includes('The gateway is open'));
});
afterAll(async () => {
  gateway.kill('SIGTERM');
  await exitOf(gateway);
  for (const subgraph of Object.values(subgraphs)) await subgraph.die();
  await rm(folder, { recursive: true, force: true });
});

/** Operations whose answers contain faults of the subgraphs are left out. */
const calls = [
  ...operations
    .filter(([, query]) => !/failing|strict/.test(query))
    .map(([, query, variables = {}]) => ({ query, variables })),
  { query: 'subscription { reviewed { stars author { name } } }' },
  { query: 'mutation ($id: ID!) { befriend(id: $id) { name } }', variables: { id: '2' } },
  { query: 'query ($id: ID!) { product(upc: $id) { upc title reviews { author { name } } } }', variables: { id: '1' } },
  { query: '{' },
];

/** A client with a credential of its own, over HTTP and WebSocket. */
function somebodyElse() {
  const query = '{ me { name reviews { stars } } }';
  const client: Client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: 'Bearer somebody else' },
  });
  const stop = beside(async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer somebody else' },
      body: JSON.stringify({ query }),
    });
    const { data }: Json = await response.json();
    const { value } = await client.iterate<Json>({ query }).next();
    return (data?.me?.name === 'Aminah' && value?.data?.me?.name === 'Aminah') || [data, value];
  });
  return async () => {
    const heard = await stop();
    await client.dispose();
    return heard;
  };
}

describe('hostile requests to a gateway that forwards headers', () => {
  it.each<[string, (draw: Hostile) => Promise<Attacked>]>([
    ['HTTP and event streams', (draw) => attackGraphql(url, draw, calls, [['authorization', draw.headerBytes()]])],
    ['WebSocket', (draw) => attackWebSocket(url.replace('http', 'ws'), draw, calls, { 'x-tenant': 'acme' })],
    [
      'greetings over WebSocket',
      (draw) => attackWebSocket(url.replace('http', 'ws'), draw, calls, { authorization: draw.text() }),
    ],
  ])('over %s neither end the process, nor affect others, nor log a bug', async (_way, attack) => {
    const from = printed.length;
    const stop = somebodyElse();

    const faults = await faultsOf(attack);

    expect(await stop()).toEqual({ right: true, wrong: [] });
    expect(faults).toEqual([]);
    expect(bugsIn(printed.slice(from))).toEqual([]);
    expect(gateway.exitCode).toBe(null);
  });
});
