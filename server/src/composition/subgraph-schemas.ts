import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { readSchema } from '@foyer/shared/graphql/subgraph';
import type { GraphQLSchema } from 'graphql';

const require = createRequire(import.meta.url);
const folders = ['@foyer/identity/app', '@foyer/ticketing/app', '@foyer/media/app'].map((app) =>
  dirname(require.resolve(app)),
);

/** Reads the subgraphs' schemas without resolvers. Unlike the public schema they say who may call a field. */
export const describedSchemas = (): Promise<GraphQLSchema[]> => Promise.all(folders.map(readSchema));
