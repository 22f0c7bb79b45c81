import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createTargetGroup } from './create-target-group.ts';
import { deleteTargetGroup } from './delete-target-group.ts';
import { listTargetGroups } from './list-target-groups.ts';
import { updateTargetGroup } from './update-target-group.ts';

export const Query = {
  targetGroups: (_parent, { organizationId }, context) => listTargetGroups(context, organizationId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createTargetGroup: (_parent, args, context) => createTargetGroup(context, args),
  updateTargetGroup: (_parent, args, context) => updateTargetGroup(context, args),
  deleteTargetGroup: (_parent, { id }, context) => deleteTargetGroup(context, id),
} satisfies Partial<MutationResolvers>;
