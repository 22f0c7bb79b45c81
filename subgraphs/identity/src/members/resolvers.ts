import type { MutationResolvers, QueryResolvers, WorkspaceMemberResolvers } from '../generated/graphql.ts';
import { requirePerson } from '../tenancy/find-person.ts';
import { addWorkspaceMember } from './add-workspace-member.ts';
import { listWorkspaceMembers } from './list-workspace-members.ts';
import { removeWorkspaceMember } from './remove-workspace-member.ts';
import { setWorkspaceMemberRole } from './set-workspace-member-role.ts';

export const Query = {
  workspaceMembers: (_parent, args, context) => listWorkspaceMembers(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  addWorkspaceMember: (_parent, { input }, context) => addWorkspaceMember(context, input),
  setWorkspaceMemberRole: (_parent, { input }, context) => setWorkspaceMemberRole(context, input),
  removeWorkspaceMember: (_parent, { input }, context) => removeWorkspaceMember(context, input),
} satisfies Partial<MutationResolvers>;

export const WorkspaceMember = {
  user: ({ userId }, _args, context) => requirePerson(context, userId),
  addedAt: ({ createdAt }) => createdAt.toISOString(),
} satisfies WorkspaceMemberResolvers;
