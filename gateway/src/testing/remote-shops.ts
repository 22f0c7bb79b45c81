import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { execute, parse, type GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

/** A request that a subgraph on the network got. */
interface Request {
  query: string;
  variables: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/** A subgraph on the network that can be made slow, wrong or dead. */
export interface RemoteSubgraph {
  url: string;
  requests: Request[];
  /** The headers of each WebSocket handshake. */
  handshakes: IncomingMessage['headers'][];
  /** Replaces the answer; returns false when the subgraph should answer after all. */
  misbehave?: ((response: ServerResponse) => boolean) | undefined;
  /** How long each answer takes. */
  delayMs: number;
  /** How many WebSockets are open, or are being closed. */
  sockets(): number;
  die(): Promise<void>;
  /** Starts again at the same address. */
  rise(): Promise<void>;
}

/** Serves a schema over HTTP, and its subscriptions over graphql-transport-ws. */
export async function serveSubgraph(schema: GraphQLSchema): Promise<RemoteSubgraph> {
  let port = 0;
  let server: Server;
  const subgraph: RemoteSubgraph = {
    url: '',
    requests: [],
    handshakes: [],
    delayMs: 0,
    sockets: () => sockets.clients.size,
    async die() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async rise() {
      server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
      server.on('upgrade', (request, socket, head) => {
        subgraph.handshakes.push(request.headers);
        sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
      subgraph.url = `http://127.0.0.1:${port}/graphql`;
    },
  };
  const sockets = new WebSocketServer({ noServer: true });
  useServer({ schema }, sockets);

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    subgraph.requests.push({ query, variables, headers: request.headers });
    if (subgraph.misbehave?.(response)) return;
    if (subgraph.delayMs > 0) await new Promise((resolve) => void setTimeout(resolve, subgraph.delayMs));
    const result = await execute({ schema, document: parse(query), variableValues: variables });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(result));
  }
  await subgraph.rise();
  return subgraph;
}
