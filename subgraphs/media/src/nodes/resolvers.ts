import type { NodeStateResolvers, SubscriptionResolvers } from '../generated/graphql.ts';
import { subscribeToNodes, type NodeState as State } from './subscribe-to-nodes.ts';

export const Subscription = {
  nodeStatusChanged: {
    subscribe: (_parent, args, context) => subscribeToNodes(context, args),
    resolve: (node: State | null) => node,
  },
} satisfies Partial<SubscriptionResolvers>;

export const NodeState = {
  kind: ({ kind }) => (kind === 'load-balancer' ? 'load_balancer' : kind),
} satisfies Partial<NodeStateResolvers>;
