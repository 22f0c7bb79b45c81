import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { readSchema } from '@foyer/shared/graphql/subgraph';
import type { GraphQLSchema } from 'graphql';

const require = createRequire(import.meta.url);
const folders = ['@foyer/identity/app', '@foyer/ticketing/app', '@foyer/media/app'].map((app) =>
  dirname(require.resolve(app)),
);

/** What the subgraphs say of themselves, without what resolves it: the public schema has lost who may call what. */
export const describedSchemas = (): Promise<GraphQLSchema[]> => Promise.all(folders.map(readSchema));
