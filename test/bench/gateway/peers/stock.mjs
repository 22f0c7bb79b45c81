// Stock ApolloServer with ApolloGateway: over HTTP, or over LocalGraphQLDataSource (LOCAL=1).
import { readFileSync } from 'node:fs';

import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

import { schemasWith } from '../graph.ts';

const schemas = process.env.LOCAL ? schemasWith((module) => buildSubgraphSchema([module]), parse) : undefined;
const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  ...(schemas && { buildService: ({ name }) => new LocalGraphQLDataSource(schemas[name]) }),
});
const server = new ApolloServer({ gateway });
await startStandaloneServer(server, { listen: { port: Number(process.env.PORT), host: '127.0.0.1' } });
