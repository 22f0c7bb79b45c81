import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createNode } from '../nodes/create-node.ts';
import { deleteNode } from '../nodes/delete-node.ts';
import { findNode } from '../nodes/find-node.ts';
import { listNodes } from '../nodes/list-nodes.ts';
import { pingNode } from '../nodes/ping-node.ts';
import { updateNode } from '../nodes/update-node.ts';

export const Query = {
  cacheNode: (_parent, args, context) => findNode(context, 'cache', args),
  cacheNodes: (_parent, args, context) => listNodes(context, 'cache', args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createCacheNode: (_parent, { input }, context) => createNode(context, 'cache', input),
  updateCacheNode: (_parent, { input }, context) => updateNode(context, 'cache', input),
  deleteCacheNode: (_parent, { id }, context) => deleteNode(context, 'cache', id),
  pingCacheNode: (_parent, { id }, context) => pingNode(context, 'cache', id),
} satisfies Partial<MutationResolvers>;
