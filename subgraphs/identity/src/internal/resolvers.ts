import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createMember } from './create-member.ts';
import { emailExists } from './email-exists.ts';
import { findAuthOrganization } from './find-auth-organization.ts';
import { findRole } from './find-role.ts';
import { listAccounts } from './list-accounts.ts';
import { serviceHealth } from './service-health.ts';
import { upsertOrganization } from './upsert-organization.ts';
import { upsertUser } from './upsert-user.ts';

export const Query = {
  accounts: (_parent, args, context) => listAccounts(context, args),
  authOrganization: (_parent, { id }, context) => findAuthOrganization(context, id),
  emailExists: (_parent, { email }, context) => emailExists(context, email),
  roleOfUser: (_parent, args, context) => findRole(context, args),
  serviceHealth: (_parent, _args, context) => serviceHealth(context),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createMember: (_parent, { input }, context) => createMember(context, input),
  upsertUser: (_parent, { input }, context) => upsertUser(context, input),
  upsertOrganization: (_parent, { input }, context) => upsertOrganization(context, input),
} satisfies Partial<MutationResolvers>;
