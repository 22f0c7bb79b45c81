import type { MutationResolvers, OrganizationResolvers } from '../generated/graphql.ts';
import { findUsage } from './find-usage.ts';
import { resetQuota, setQuota } from './set-quota.ts';

export const Mutation = {
  setMediaQuota: (_parent, { input }, context) => setQuota(context, input),
  resetMediaQuota: (_parent, { organizationId }, context) => resetQuota(context, organizationId),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  mediaUsage: ({ id }, _args, context) => findUsage(context, id),
} satisfies OrganizationResolvers;
