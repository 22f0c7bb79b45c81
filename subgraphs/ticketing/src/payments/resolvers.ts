import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { acceptPaymentReturn } from './accept-payment-return.ts';
import { decryptPayload } from './decrypt-payload.ts';
import { listBanks } from './list-banks.ts';
import { findPaymentState } from './find-payment-state.ts';
import { generatePaymentToken } from './payment-token.ts';
import { startPayment } from './start-payment.ts';

export const Query = {
  paymentState: (_parent, { orderNo }, context) => findPaymentState(context, orderNo),
  banks: (_parent, { mode }, context) => listBanks(context, mode),
  decryptPayload: (_parent, { payload }, context) => decryptPayload(context, payload),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  generatePaymentToken: (_parent, _args, context) => generatePaymentToken(context),
  startPayment: (_parent, { input }, context) => startPayment(context, input),
  acceptPaymentReturn: (_parent, { payload }, context) => acceptPaymentReturn(context, payload),
} satisfies Partial<MutationResolvers>;
