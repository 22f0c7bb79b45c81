import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { listTargetGroups } from './list-target-groups.ts';
import { createTargetGroup, deleteTargetGroup, updateTargetGroup } from './manage-target-groups.ts';

export const Query = {
  targetGroups: (_parent, { organizationId }, context) => listTargetGroups(context, organizationId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createTargetGroup: (_parent, args, context) => createTargetGroup(context, args),
  updateTargetGroup: (_parent, args, context) => updateTargetGroup(context, args),
  deleteTargetGroup: (_parent, { id }, context) => deleteTargetGroup(context, id),
} satisfies Partial<MutationResolvers>;
