import type { OrderResolvers } from '../generated/graphql.ts';
import { showReceipt } from './show-receipt.ts';

export const Order = {
  receipt: (order, _args, context) => showReceipt(context, order),
} satisfies Partial<OrderResolvers>;
