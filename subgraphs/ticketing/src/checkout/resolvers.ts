import type { MutationResolvers, PlacedOrderResolvers } from '../generated/graphql.ts';
import { admitBuyer } from '../limits/admit-buyer.ts';
import { ringgit } from '../units/money.ts';
import { createFreeOrder, createOrder } from './create-order.ts';

export const Mutation = {
  createOrder: async (_parent, request, context) => createOrder(await admitBuyer(context), request),
  createFreeOrder: async (_parent, request, context) => createFreeOrder(await admitBuyer(context), request),
} satisfies Partial<MutationResolvers>;

export const PlacedOrder = {
  totalAmount: ({ totalAmountSen }) => ringgit(totalAmountSen),
  order: (order) => order,
} satisfies PlacedOrderResolvers;
