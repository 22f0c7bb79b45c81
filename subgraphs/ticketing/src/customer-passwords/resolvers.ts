import type { MutationResolvers } from '../generated/graphql.ts';
import { requestCustomerPasswordReset } from './request-customer-reset.ts';
import { confirmCustomerPasswordReset } from './reset-customer-password.ts';
import { changeCustomerPassword } from './change-customer-password.ts';

export const Mutation = {
  requestCustomerPasswordReset: (_parent, input, context) => requestCustomerPasswordReset(context, input),
  confirmCustomerPasswordReset: (_parent, input, context) => confirmCustomerPasswordReset(context, input),
  changeCustomerPassword: (_parent, input, context) => changeCustomerPassword(context, input),
} satisfies Partial<MutationResolvers>;
