import type { MutationResolvers } from '../generated/graphql.ts';
import { exportOrders } from './export-orders.ts';

export const Mutation = {
  exportOrders: (_parent, { filter }, context) => exportOrders(context, filter),
} satisfies Partial<MutationResolvers>;
