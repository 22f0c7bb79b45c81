import type { MutationResolvers } from '../generated/graphql.ts';
import { changePassword } from './change-password.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { requestPasswordReset } from './request-password-reset.ts';

export const Mutation = {
  changePassword: (_parent, { input }, context) => changePassword(context, input),
  requestPasswordReset: (_parent, { input }, context) => requestPasswordReset(context, input),
  confirmPasswordReset: (_parent, { input }, context) => confirmPasswordReset(context, input),
} satisfies Partial<MutationResolvers>;
