import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import { send } from '../fixtures/people.ts';
import { until } from '../until.ts';

/** A streamer node for tests: the test sets its answers, and sees the requests that it got. */
export interface StreamerNode {
  id: number;
  server: HttpServer;
  requests: { method: string; path: string; body: string }[];
  streams: Set<string>;
  /** The answer to the next orders; undefined for the regular one. */
  answer: number | undefined;
  /** The method that it refuses, and does nothing. */
  refuses: string | undefined;
  /** Stops it, as if its machine were off. */
  stop(): void;
}

/** Holds back the requests of one method at a node, as if they took long. */
export function holdAt(node: StreamerNode, method: string) {
  const [answer] = node.server.listeners('request') as RequestListener[];
  const held: (() => void)[] = [];
  let isOpen = false;
  node.server.removeAllListeners('request').on('request', (request, response) => {
    if (request.method === method && !isOpen) held.push(() => answer?.(request, response));
    else answer?.(request, response);
  });
  return {
    /** Waits until so many requests are held back. */
    waiting: (count: number) => until(`${count} ${method} to wait`, async () => held.length === count),
    count: () => held.length,
    /** Lets one of them arrive. */
    pass: (at: number) => held.splice(at, 1)[0]?.(),
    /** Lets all arrive, those that come later too. */
    open() {
      isOpen = true;
      held.splice(0).forEach((arrive) => arrive());
    },
  };
}

/** Starts a streamer node on a free port, and registers it. */
export async function startStreamerNode(foyer: Server, name: string): Promise<StreamerNode> {
  const node: Pick<StreamerNode, 'requests' | 'streams' | 'answer' | 'refuses'> = {
    requests: [],
    streams: new Set(),
    answer: undefined,
    refuses: undefined,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [method, path] = [request.method ?? '', request.url ?? ''];
    const body = (await request.toArray()).join('');
    node.requests.push({ method, path, body });
    const streamId = decodeURIComponent(path.replace('/api/streams/', ''));
    const known = node.streams.has(streamId);
    if (method === node.refuses) {
      response.writeHead(503).end('{}');
      return;
    }
    if (method === 'POST' && node.answer) response.statusCode = node.answer;
    else if (method === 'POST') response.statusCode = known ? 500 : 201;
    else if (method !== 'GET' || path !== '/api/ping') response.statusCode = known ? 200 : 404;
    if (method === 'POST' && response.statusCode === 201) node.streams.add(streamId);
    if (method === 'DELETE') node.streams.delete(streamId);
    response.end('{}');
  };
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = { name, host: '127.0.0.1', httpPort: port, apiPort: port };
  const { status, json } = await send(foyer, 'POST', '/streamers', { body });
  expect([status, json.data.status]).toEqual([201, 'unknown']);
  return Object.assign(node, {
    id: json.data.id as number,
    server,
    stop: () => server.close().closeAllConnections(),
  });
}
