/**
 * Preloaded into a server (`node --import`): its mutations `createOrder` and `createFreeOrder` then run a plain transaction where
 * an order says so. All else of the server is the same.
 */
import { Mutation } from '../../../subgraphs/ticketing/src/checkout/resolvers.ts';
import { PLAINLY } from './names.ts';
import { plainly } from './plain-transaction.ts';

const { createOrder, createFreeOrder } = Mutation;

Mutation.createOrder = async (parent, request, context) =>
  request.input.productDesc === PLAINLY
    ? { ...(await plainly(context, request.input, false)), seenBy: 'buyer' as const }
    : createOrder(parent, request, context);

Mutation.createFreeOrder = async (parent, request, context) =>
  request.input.productDesc === PLAINLY
    ? { ...(await plainly(context, request.input, true)), seenBy: 'buyer' as const }
    : createFreeOrder(parent, request, context);
