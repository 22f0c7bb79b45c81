/** Serves the four subgraphs, each at its name; repeated queries are answered from memory. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse, type GraphQLSchema } from 'graphql';

import { schemasWith, typeDefs } from './graph.ts';

const schemas = schemasWith<GraphQLSchema>((module) => buildSubgraphSchema([module as never]), parse);
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
  answers.set(key, bytes);
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
  if (query.includes('_service')) return Buffer.from(JSON.stringify({ data: { _service: { sdl: typeDefs[name] } } }));
  const schema = schemas[name];
  if (!schema) throw new Error(`there is no subgraph ${name}`);
  const args = { schema, document: parse(query), variableValues: variables, operationName };
  return Buffer.from(JSON.stringify(await execute(args)));
}

createServer((request, response) => void answer(request, response)).listen(Number(process.env['PORT']), '127.0.0.1');
