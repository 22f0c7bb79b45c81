/** Serves the subgraphs, each at its name; repeated queries are answered from memory. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse, subscribe, type GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import { schemasWith, typeDefs } from './graph.ts';
import { ticksSchema, ticksTypeDefs } from './ticks.ts';

const ticks = ticksSchema(1, 0);
const schemas = { ...schemasWith<GraphQLSchema>((module) => buildSubgraphSchema([module as never]), parse), ticks };
const sdls: Readonly<Record<string, string>> = { ...typeDefs, ticks: ticksTypeDefs };
const answers = new Map<string, Buffer>();
let fetches = 0;

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.url === '/fetches') return response.end(String(fetches));
  fetches += 1;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const key = `${request.url} ${body}`;
  const bytes = answers.get(key) ?? (await resolve(request.url?.slice(1) ?? '', body));
  if (!body.includes('mutation')) answers.set(key, bytes);
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', bytes.length);
  return response.end(bytes);
}

async function resolve(name: string, body: string): Promise<Buffer> {
  const { query, variables, operationName } = JSON.parse(body) as {
    query: string;
    variables?: Record<string, unknown>;
    operationName?: string;
  };
  // The original SDL: a printed schema loses `extend`, which Mercurius needs.
  if (query.includes('_service')) return Buffer.from(JSON.stringify({ data: { _service: { sdl: sdls[name] } } }));
  const schema = Object.hasOwn(schemas, name) ? schemas[name as keyof typeof schemas] : undefined;
  if (!schema) throw new Error(`there is no subgraph ${name}`);
  const args = { schema, document: parse(query), variableValues: variables, operationName };
  return Buffer.from(JSON.stringify(await execute(args)));
}

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000; // a connection that closes just when it is used again is an error of some gateways
const sockets = new WebSocketServer({ server, path: '/ticks' });
useServer({ schema: ticks, execute, subscribe, context: () => ({}) }, sockets);
server.listen(Number(process.env['PORT']), '127.0.0.1');
