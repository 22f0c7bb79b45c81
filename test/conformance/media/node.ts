import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'vitest';

import { perServer } from '../framework/per-server.ts';
import { NotRun } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { at } from './studio.ts';

/** A streamer node with the API of the document: a row sets its responses, and reads the requests that it has received. */
export interface Node {
  host: string;
  port: number;
  requests: { method: string; path: string; body: string }[];
  /** The response to a request for a stream. */
  orders: number;
  close(): void;
}

/** The headers of a caller who may register nodes, where a token is required. */
export const operator = async (server: Server): Promise<Headers> => (await server.owner()).headers;
export const asOperator = async (server: Server): Promise<Headers> =>
  server.mode === 'strict' ? operator(server) : {};

/** Starts a node beside the server under test. */
export async function startNode(server: Server): Promise<Node> {
  if (!['localhost', '127.0.0.1'].includes(new URL(server.url).hostname))
    throw new NotRun('needs a server on this machine: it calls a node of ours');
  const node: Node = { host: '127.0.0.1', port: 0, requests: [], orders: 201, close: () => undefined };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [method, path] = [request.method ?? '', request.url ?? ''];
    const body = (await request.toArray()).join('');
    node.requests.push({ method, path, body });
    if (method === 'POST' && path.startsWith('/api/streams/')) response.statusCode = node.orders;
    if (path.startsWith('/teapot')) response.writeHead(418, { 'content-type': 'text/x-tea' });
    response.end(path.startsWith('/teapot') ? `tea for ${method} ${path} ${body}` : '{}');
  };
  const listening = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  ).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  listening.unref();
  node.port = (listening.address() as AddressInfo).port;
  node.close = () => listening.close().closeAllConnections();
  return node;
}

export const nodeBody = ({ host, port }: Node, name = 'A node') => ({ name, host, httpPort: port, apiPort: port });

/** Registers a node of ours; returns it with the response of the registry. */
export async function registered(server: Server, prefix = '/streamers') {
  const node = await startNode(server);
  const headers = await asOperator(server);
  const { status, json } = await server.send('POST', prefix, { headers, body: nodeBody(node) });
  expect(status).toBe(201);
  return Object.assign(node, { id: json.data.id as number, answered: json });
}

/** The documented request for a channel on these nodes. */
export const channelOn = (nodes: { id: number }[], differently: object = {}) => ({
  name: `Morning News ${nodes.map(({ id }) => id).join(' ')}`,
  sourceType: 'udp_multicast',
  ingestConfig: { chunkDuration: '500ms', fragmentDuration: '2000ms', netTimeout: '3000ms', forceClean: true },
  transcodeConfig: { preset: 'hd' },
  origins: nodes.map(({ id }, index) => ({ streamerId: id, ingestUrl: `udp://239.0.0.${index + 1}:5000` })),
  ...differently,
});

export const createChannel = (server: Server, body: object, headers?: Headers) =>
  at(server, 'POST', '/channels', { body, ...(headers && { headers }) });

/** A channel on two nodes: the response to its creation, and what is read later; for rows that only read. */
export const channel = perServer(async (server) => {
  const nodes = [await registered(server), await registered(server)];
  const sent = channelOn(nodes, { quality: '1080p' });
  const created = await createChannel(server, sent);
  const { json } = await at(server, 'GET', `/channels/${created.json.data?.id}`);
  return { nodes, sent, created, read: json.data };
});
