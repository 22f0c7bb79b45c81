import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { findCompany } from './find-company.ts';
import { requestSignupCode } from './request-signup-code.ts';
import { signUp } from './sign-up.ts';

export const Query = {
  companyByCode: (_parent, { companyCode }, context) => findCompany(context, companyCode),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  requestSignupCode: (_parent, input, context) => requestSignupCode(context, input),
  selfSignup: (_parent, { input }, context) => signUp(context, input),
} satisfies Partial<MutationResolvers>;
