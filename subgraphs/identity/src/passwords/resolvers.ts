import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { changePassword } from './change-password.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { readPasswordRules } from './read-password-rules.ts';
import { requestPasswordReset } from './request-password-reset.ts';

export const Query = {
  passwordRules: (_parent, _args, context) => readPasswordRules(context),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  changePassword: (_parent, { input }, context) => changePassword(context, input),
  requestPasswordReset: (_parent, { input }, context) => requestPasswordReset(context, input),
  confirmPasswordReset: (_parent, { input }, context) => confirmPasswordReset(context, input),
} satisfies Partial<MutationResolvers>;
