import { join } from 'node:path';

import type { Service } from '../gateway/src/supergraph/compose.ts';
import { readTypeDefs } from '../subgraphs/shared/src/graphql/subgraph.ts';

/** Reads the SDL of each subgraph from its files. @param root the root folder of the repository */
export const readServices = (root: string): Promise<Service[]> =>
  Promise.all(
    ['identity', 'ticketing', 'media'].map(async (name) => ({
      name,
      url: `http://${name}:4000/graphql`,
      typeDefs: await readTypeDefs(join(root, `subgraphs/${name}/src`)),
    })),
  );
