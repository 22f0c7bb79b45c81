import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createNode } from '../nodes/create-node.ts';
import { deleteNode } from '../nodes/delete-node.ts';
import { findNode } from '../nodes/find-node.ts';
import { listNodes } from '../nodes/list-nodes.ts';
import { pingNode } from '../nodes/ping-node.ts';
import { updateNode } from '../nodes/update-node.ts';

export const Query = {
  loadBalancerNode: (_parent, args, context) => findNode(context, 'load-balancer', args),
  loadBalancerNodes: (_parent, args, context) => listNodes(context, 'load-balancer', args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createLoadBalancerNode: (_parent, { input }, context) => createNode(context, 'load-balancer', input),
  updateLoadBalancerNode: (_parent, { input }, context) => updateNode(context, 'load-balancer', input),
  deleteLoadBalancerNode: (_parent, { id }, context) => deleteNode(context, 'load-balancer', id),
  pingLoadBalancerNode: (_parent, { id }, context) => pingNode(context, 'load-balancer', id),
} satisfies Partial<MutationResolvers>;
