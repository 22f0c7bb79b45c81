import type {
  MemberResolvers,
  MeResolvers,
  MutationResolvers,
  MyOrganizationResolvers,
  MyWorkspaceResolvers,
  QueryResolvers,
  UserResolvers,
} from '../generated/graphql.ts';
import { findOrganization } from '../tenancy/find-organization.ts';
import { findWorkspace } from '../workspaces/find-workspace.ts';
import { findPerson, lookUpPerson, requirePerson } from '../tenancy/find-person.ts';
import { listMembers } from './list-members.ts';
import { accountStateOf } from './member.ts';
import { readMe } from './read-me.ts';
import { readMeAsNamed } from './read-me-as-named.ts';
import { removeMember } from './remove-member.ts';
import { setMemberRole } from './set-member-role.ts';
import { setMemberStatus } from './set-member-status.ts';

export const Query = {
  me: (_parent, _args, context) => readMe(context),
  meIfSignedIn: (_parent, named, context) =>
    context.viewer?.kind === 'staff' ? readMeAsNamed(context, context.viewer, named) : null,
  user: (_parent, { id }, context) => lookUpPerson(context, id),
  members: (_parent, args, context) => listMembers(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  setMemberRole: (_parent, { input }, context) => setMemberRole(context, input),
  setMemberStatus: (_parent, { input }, context) => setMemberStatus(context, input),
  removeMember: (_parent, { input }, context) => removeMember(context, input),
} satisfies Partial<MutationResolvers>;

export const Member = {
  user: ({ userId }, _args, context) => requirePerson(context, userId),
  accountState: async ({ userId }, _args, { loaders }) => accountStateOf(await loaders.authUsers.load(userId)),
  joinedAt: ({ createdAt }) => createdAt.toISOString(),
} satisfies MemberResolvers;

export const User = {
  __resolveReference: ({ id }, context) => findPerson(context, id),
  organization: ({ organizationId }, _args, context) =>
    organizationId ? findOrganization(context, organizationId) : null,
} satisfies UserResolvers;

export const Me = {} satisfies MeResolvers;

export const MyOrganization = {
  organization: ({ id }, _args, context) => findOrganization(context, id),
} satisfies MyOrganizationResolvers;

export const MyWorkspace = {
  workspace: ({ id }, _args, context) => findWorkspace(context, id),
} satisfies MyWorkspaceResolvers;
