// For tests: the proxy in front of one node that answers as a test says.
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog, type Log } from '@foyer/shared/telemetry/log';
import Fastify from 'fastify';

import { openNodeConnections } from '../adapters/node-connections.ts';
import { nodeProxy } from '../nodes/proxy.ts';

/** How the node answers a request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns the body of the request. */
const echo: Answer = (request, response) => void request.pipe(response);

/** Reads the request, and does not answer. */
export const swallow: Answer = (request) => void request.resume().on('error', () => undefined);

export interface ProxyRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** A line of the log. */
interface Logged {
  level: 'warn' | 'error';
  code?: string;
}

function recordingLog(lines: Logged[]): Log {
  const at = (level: Logged['level']) => (about: object) => void lines.push({ level, ...about });
  return Object.assign(openLog('silent'), { warn: at('warn'), error: at('error') });
}

export type ProxyFixture = Awaited<ReturnType<typeof startProxy>>;

/** Starts a node and the proxy to it, as streamer, cache and load balancer 7. */
export async function startProxy() {
  const node = { id: 7, host: '127.0.0.1', apiPort: 0 };
  const addresses = openAddressPolicy({ networks: loopback, services: [] });
  const connections = openNodeConnections({ timeoutMs: 400, addresses });
  let answer = echo;
  let arrived: IncomingMessage[] = [];
  const logged: Logged[] = [];

  const server = createServer((request, response) => {
    arrived.push(request);
    response.on('error', () => undefined);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  node.apiPort = (server.address() as AddressInfo).port;

  const app = Fastify();
  answerErrors(app, recordingLog(logged));
  const table = {
    findUnique: async ({ where }: { where: { id: number } }) => (where.id === node.id ? { ...node } : null),
  };
  await app.register(
    nodeProxy({
      db: { streamer: table, cacheNode: table, loadBalancerNode: table } as never,
      permissions: {} as never,
      viewerOf: async ({ headers }, opening) =>
        headers['x-nobody'] ? null : { kind: 'legacy-client', permissions: opening },
      connections,
      limits: { idleMs: 400, totalMs: 1_500 },
    }),
  );
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

  /** Sends with Node's own client: fetch would normalize the URL and follow redirects. */
  async function send(path: string, { method = 'GET', headers = {}, body }: ProxyRequest = {}) {
    const got = await new Promise<IncomingMessage>((resolve, reject) => {
      // By itself, Node's client doesn't frame the body of a DELETE.
      const framed = { ...(body && { 'content-length': body.length }), ...headers };
      httpRequest({ port, path, method, headers: framed }, resolve).on('error', reject).end(body);
    });
    return { status: got.statusCode, headers: got.headers, body: await buffer(got) };
  }

  return {
    node,
    send,
    /** Sends to the path `path` of the node. */
    proxied: (path: string, request?: ProxyRequest) => send(`/streamers/7/proxy${path}`, request),
    /** Begins a request to the path `/x` of the node; the test writes its body and ends it. */
    begin: (options: RequestOptions = {}) =>
      httpRequest({ port, path: '/streamers/7/proxy/x', ...options }).on('error', () => undefined),
    /** The requests that reached the node since the last reset. */
    arrived: () => arrived,
    /** The warnings and errors in the log since then. */
    logged: () => logged.map(({ level, code }) => `${level} ${code}`),
    answerWith: (next: Answer) => void (answer = next),
    reset() {
      arrived = [];
      logged.length = 0;
      answer = echo;
    },
    async stop() {
      await app.close();
      server.close().closeAllConnections();
      await connections.close();
    },
  };
}

/** The status and code of a refusal. */
export const refusalOf = ({ status, body }: { status: number | undefined; body: Buffer }) => [
  status,
  (JSON.parse(body.toString()) as { code: string }).code,
];
