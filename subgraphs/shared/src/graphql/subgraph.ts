import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import type { FastifyPluginAsync } from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';

import { countOnDemand } from './count-on-demand.ts';
import { guardRootFields } from './guard-root-fields.ts';
import type { Worker } from '../jobs/job.ts';
import { paceStreams } from './pace-streams.ts';
import { readIds } from './read-ids.ts';
import type { Rights } from '../auth/rights.ts';
import type { RequestScope } from '../http/request.ts';
import { scalars } from './scalars.ts';

export type SubgraphName = 'identity' | 'ticketing' | 'media';

/** A subgraph as the composition root sees it. */
export interface Subgraph {
  name: SubgraphName;
  schema: GraphQLSchema;
  /** Creates the context of its resolvers, for each request. */
  contextFor(scope: RequestScope): RequestScope & { rights: Rights };
  /** Its binary and browser routes. */
  routes: FastifyPluginAsync;
  workers: readonly Worker[];
  /** The channels on which the database publishes events of its tables. */
  channels: readonly string[];
  /** Releases its resources. */
  stop(): Promise<void>;
}

/** The header of the SDL: Federation 2, and the directive that says who may call a root field. */
const preamble = readFileSync(join(import.meta.dirname, 'preamble.graphql'), 'utf8');

/** The SDL of a subgraph: the `schema.graphql` of each of its slices, in the order of their names. */
export async function readTypeDefs(folder: string): Promise<string> {
  const files: string[] = [];
  for await (const file of glob('*/schema.graphql', { cwd: folder })) files.push(file);
  return [preamble, ...files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8'))].join('\n');
}

/** The schema that the SDL in this folder describes, without resolvers: for documents. */
export const readSchema = async (folder: string): Promise<GraphQLSchema> =>
  buildSubgraphSchema(parse(await readTypeDefs(folder)));

type AnyResolvers = NonNullable<GraphQLSchemaModule['resolvers']>;
type Root = 'Query' | 'Mutation' | 'Subscription';

/** The root fields of one type that these slices resolve. */
type Resolved<Slices extends readonly object[], Type extends Root> = {
  [Slice in keyof Slices]: Slices[Slice] extends Record<Type, infer Fields> ? keyof Fields : never;
}[number];

/** The root fields in the SDL that no slice resolves. */
type Unresolved<Resolvers, Slices extends readonly object[]> = {
  [Type in Root & keyof Resolvers]: Exclude<keyof NonNullable<Resolvers[Type]>, Resolved<Slices, Type>>;
}[Root & keyof Resolvers];

/**
 * The executable schema of a subgraph, from the SDL of its slices and the resolvers of each slice:
 * `buildSchema<Resolvers>()(typeDefs, orders, payments)`, with the generated type `Resolvers`.
 * A root field that no slice resolves does not compile; one without `@access` is refused when the schema is built.
 */
export const buildSchema =
  <Resolvers>() =>
  <Slices extends readonly object[]>(
    typeDefs: string,
    ...slices: [Unresolved<Resolvers, Slices>] extends [never]
      ? Slices
      : [noSliceResolves: Unresolved<Resolvers, Slices>]
  ): GraphQLSchema =>
    guardRootFields(
      paceStreams(
        readIds(
          countOnDemand(
            buildSubgraphSchema([
              {
                typeDefs: parse(typeDefs),
                resolvers: mergeSlices([scalars, ...(slices as readonly object[])]) as AnyResolvers,
              },
            ]),
          ),
        ),
      ),
    );

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
