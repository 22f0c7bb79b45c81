import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { parse, printSchema, type GraphQLSchema } from 'graphql';

import { readSupergraph } from './read-supergraph.ts';

export interface Service {
  name: string;
  /** Where the subgraph answers in the distributed layout. */
  url: string;
  typeDefs: string;
}

/** The supergraph for the gateway, and the public schema for its clients. */
export interface Composition {
  supergraphSdl: string;
  publicSdl: string;
}

/**
 * Composes subgraphs with Federation 2.
 *
 * @throws an error that lists everything that doesn't fit together
 */
export function compose(services: readonly Service[]): Composition {
  const { errors, supergraphSdl } = composeServices(
    services.map(({ name, url, typeDefs }) => ({ name, url, typeDefs: parse(typeDefs) })),
  );
  if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n') ?? 'composition failed');
  return { supergraphSdl, publicSdl: `${printSchema(publicSchema(supergraphSdl))}\n` };
}

/** The public schema of a supergraph. */
export const publicSchema = (supergraphSdl: string): GraphQLSchema =>
  Supergraph.build(readSupergraph(supergraphSdl)).apiSchema().toGraphQLJSSchema();
