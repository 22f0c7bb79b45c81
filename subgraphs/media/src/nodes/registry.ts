import type { CacheNode, LoadBalancerNode, Streamer } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { NodeKind } from './node.ts';

/** A row of any of the three tables. */
export type NodeRow = Streamer | CacheNode | LoadBalancerNode;

const tables = { streamer: 'streamer', cache: 'cacheNode', 'load-balancer': 'loadBalancerNode' } as const;

/** Returns the table of one kind of node. All three have the same columns. */
export const registryOf = (db: Pick<MediaTransaction, (typeof tables)[NodeKind]>, kind: NodeKind) =>
  db[tables[kind]] as unknown as MediaTransaction['streamer'];
