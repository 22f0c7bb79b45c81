import type { CustomerResolvers, MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { admitBuyer } from '../limits/admit-buyer.ts';
import { maskEmail, maskName } from '../orders/order.ts';
import { findCustomer } from './find-customer.ts';
import { loginCustomer } from './login-customer.ts';
import { registerCustomer, registerGuestCustomer } from './register-customer.ts';

export const Query = {
  customer: (_parent, { custId }, context) => findCustomer(context, custId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  registerCustomer: (_parent, { input }, context) => registerCustomer(context, input),
  registerGuestCustomer: async (_parent, { input }, context) => registerGuestCustomer(await admitBuyer(context), input),
  loginCustomer: (_parent, credentials, context) => loginCustomer(context, credentials),
} satisfies Partial<MutationResolvers>;

export const Customer = {
  email: ({ email, inFull }) => (inFull ? email : maskEmail(email)),
  fullName: ({ fullName, inFull }) => (inFull ? fullName : maskName(fullName)),
  contactNo: ({ contactNo, inFull }) => (inFull ? contactNo : null),
  identificationNo: ({ identificationNo, inFull }) => (inFull ? identificationNo : null),
} satisfies CustomerResolvers;
