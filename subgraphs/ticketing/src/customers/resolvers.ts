import type { CustomerResolvers, MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { admitBuyer } from '../limits/admit-buyer.ts';
import { maskEmail, maskName } from '../access/masks.ts';
import { findCustomer } from './find-customer.ts';
import { setCustomerDisabled } from './disable-customer.ts';
import { loginCustomer } from './login-customer.ts';
import { logoutCustomer } from './logout-customer.ts';
import { registerCustomer, registerGuestCustomer } from './register-customer.ts';
import { updateCustomerProfile } from './update-customer-profile.ts';
import { verifyCustomer } from './verify-customer.ts';

export const Query = {
  customer: (_parent, { custId }, context) => findCustomer(context, custId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  registerCustomer: (_parent, { input }, context) => registerCustomer(context, input),
  registerGuestCustomer: async (_parent, { input }, context) => registerGuestCustomer(await admitBuyer(context), input),
  verifyCustomer: (_parent, input, context) => verifyCustomer(context, input),
  loginCustomer: (_parent, credentials, context) => loginCustomer(context, credentials),
  logoutCustomer: (_parent, { everywhere }, context) => logoutCustomer(context, everywhere),
  updateCustomerProfile: (_parent, { input }, context) => updateCustomerProfile(context, input),
  setCustomerDisabled: (_parent, input, context) => setCustomerDisabled(context, input),
} satisfies Partial<MutationResolvers>;

export const Customer = {
  email: ({ email, inFull }) => (inFull ? email : maskEmail(email)),
  fullName: ({ fullName, inFull }) => (inFull ? fullName : maskName(fullName)),
  contactNo: ({ contactNo, inFull }) => (inFull ? contactNo : null),
  identificationNo: ({ identificationNo, inFull }) => (inFull ? identificationNo : null),
} satisfies CustomerResolvers;
