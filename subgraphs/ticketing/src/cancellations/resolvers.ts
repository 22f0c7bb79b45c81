import type { MutationResolvers } from '../generated/graphql.ts';
import { cancelOrder } from './cancel-order.ts';

export const Mutation = {
  cancelOrder: (_parent, names, context) => cancelOrder(context, names),
} satisfies Partial<MutationResolvers>;
