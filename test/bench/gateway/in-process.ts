/** Our gateway over the four subgraphs in this process. */
import { readFileSync } from 'node:fs';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { createGateway } from '@foyer/gateway/app';
import { readConfig } from '@foyer/gateway/config';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import fastify from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';

import { schemasWith } from './graph.ts';
import { ticksSchema } from './ticks.ts';

const schemas = {
  ...schemasWith<GraphQLSchema>((module) => buildSubgraphSchema([module as never]), parse),
  ...(process.env['TOPICS'] && {
    ticks: ticksSchema(Number(process.env['TOPICS']), Number(process.env['EVERY_MS'] ?? 0)),
  }),
};
const gateway = await createGateway({
  supergraphSdl: readFileSync(process.env['SUPERGRAPH'] ?? '', 'utf8'),
  subgraphs: Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { schema, contextFor: (scope: object) => scope }]),
  ),
  authenticate: async () => ({ viewer: null, by: 'nothing' }),
  config: readConfig(process.env),
  log: openLog('warn'),
  clock: systemClock,
});
const app = fastify();
await app.register(gateway.routes);
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
