/**
 * Preloaded into a server (`node --import`): its mutation `createOrder` then runs a plain transaction. All else of the
 * server is the same.
 */
import { Mutation } from '../../subgraphs/ticketing/src/checkout/resolvers.ts';
import { plainly } from './plain-transaction.ts';

Mutation.createOrder = async (_parent, { input }, { db }) => ({ ...(await plainly(db, input)), seenBy: 'buyer' });
