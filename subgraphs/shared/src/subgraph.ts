import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import type { FastifyPluginAsync } from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';

import type { Worker } from './jobs.ts';
import type { RequestScope } from './request.ts';
import { scalars } from './scalars.ts';

export type SubgraphName = 'identity' | 'ticketing' | 'media';

/** A subgraph as the composition root sees it. */
export interface Subgraph {
  name: SubgraphName;
  schema: GraphQLSchema;
  /** What its resolvers get as their third argument, made new for each request. */
  contextFor(scope: RequestScope): object;
  /** Its binary and browser routes. */
  routes: FastifyPluginAsync;
  workers: readonly Worker[];
  /** Lets go of what it holds. */
  stop(): Promise<void>;
}

/** Federation 2, and what a reader of the SDL should know about each root field: who may call it. */
const preamble = readFileSync(join(import.meta.dirname, 'preamble.graphql'), 'utf8');

/** The SDL of a subgraph: the `schema.graphql` of each of its slices, in the order of their names. */
export async function readTypeDefs(folder: string): Promise<string> {
  const files: string[] = [];
  for await (const file of glob('*/schema.graphql', { cwd: folder })) files.push(file);
  return [preamble, ...files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8'))].join('\n');
}

type Resolvers = NonNullable<GraphQLSchemaModule['resolvers']>;

/** The executable schema of a subgraph, from the SDL of its slices and the resolvers of each slice. */
export const buildSchema = (typeDefs: string, ...slices: object[]): GraphQLSchema =>
  buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: mergeSlices([scalars, ...slices]) as Resolvers }]);

/** Slices extend each other's types (`Query`, an entity), each with fields of its own. */
function mergeSlices(slices: readonly object[]): object {
  const merged: Record<string, object> = {};
  for (const slice of slices) {
    for (const [type, fields] of Object.entries(slice) as [string, object][]) {
      merged[type] = Object.getPrototypeOf(fields) === Object.prototype ? { ...merged[type], ...fields } : fields;
    }
  }
  return merged;
}
