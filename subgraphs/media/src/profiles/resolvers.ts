import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createProfile } from './create-profile.ts';
import { deleteProfile } from './delete-profile.ts';
import { listProfiles } from './list-profiles.ts';
import { updateProfile } from './update-profile.ts';

export const Query = {
  transcodingProfiles: (_parent, { category }, context) => listProfiles(context, category),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createTranscodingProfile: (_parent, { input }, context) => createProfile(context, input),
  updateTranscodingProfile: (_parent, { input }, context) => updateProfile(context, input),
  deleteTranscodingProfile: (_parent, { id }, context) => deleteProfile(context, id),
} satisfies Partial<MutationResolvers>;
