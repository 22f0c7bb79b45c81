import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createEmailProfile } from './create-email-profile.ts';
import { deleteEmailProfile } from './delete-email-profile.ts';
import { listEmailProfiles } from './list-email-profiles.ts';
import { mapEmailUsage } from './map-email-usage.ts';
import { updateEmailProfile } from './update-email-profile.ts';

export const Query = {
  emailProfiles: (_parent, { organizationId }, context) => listEmailProfiles(context, organizationId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createEmailProfile: (_parent, { organizationId, input }, context) =>
    createEmailProfile(context, organizationId, input),
  updateEmailProfile: (_parent, { organizationId, profileId, input }, context) =>
    updateEmailProfile(context, organizationId, profileId, input),
  deleteEmailProfile: (_parent, { organizationId, profileId }, context) =>
    deleteEmailProfile(context, organizationId, profileId),
  mapEmailUsage: (_parent, { organizationId, usage, profileId }, context) =>
    mapEmailUsage(context, organizationId, usage, profileId ?? null),
} satisfies Partial<MutationResolvers>;
