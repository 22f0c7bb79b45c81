import type { MutationResolvers, OrganizationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { editApplication } from './edit-application.ts';
import { findApplication } from './find-application.ts';
import { findCompany } from './find-company.ts';
import { requestSignupCode } from './request-signup-code.ts';
import { showApplication } from './show-application.ts';
import { signUp } from './sign-up.ts';

export const Query = {
  application: (_parent, { organizationId }, context) => findApplication(context, organizationId),
  companyByCode: (_parent, { companyCode }, context) => findCompany(context, companyCode),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  editApplication: (_parent, { input }, context) => editApplication(context, input),
  requestSignupCode: (_parent, input, context) => requestSignupCode(context, input),
  selfSignup: (_parent, { input }, context) => signUp(context, input),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  application: ({ id }, _args, context) => showApplication(context, id),
} satisfies Pick<OrganizationResolvers, 'application'>;
