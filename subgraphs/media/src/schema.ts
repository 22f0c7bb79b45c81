import { join } from 'node:path';

import { buildSchema, readTypeDefs } from '@foyer/shared/graphql/subgraph';

import * as caches from './caches/resolvers.ts';
import * as channels from './channels/resolvers.ts';
import type { Resolvers } from './generated/graphql.ts';
import * as library from './library/resolvers.ts';
import * as loadBalancers from './load-balancers/resolvers.ts';
import * as nodes from './nodes/resolvers.ts';
import * as posters from './posters/resolvers.ts';
import * as processing from './processing/resolvers.ts';
import * as profiles from './profiles/resolvers.ts';
import * as quotas from './quotas/resolvers.ts';
import * as streamers from './streamers/resolvers.ts';
import * as uploads from './uploads/resolvers.ts';

/** Builds the executable schema of media: one line for each slice. */
export const mediaSchema = async () =>
  buildSchema<Resolvers>()(
    await readTypeDefs(join(import.meta.dirname)),
    library,
    uploads,
    processing,
    posters,
    profiles,
    quotas,
    channels,
    nodes,
    streamers,
    caches,
    loadBalancers,
  );
