import type {
  MeResolvers,
  MyOrganizationResolvers,
  MyWorkspaceResolvers,
  QueryResolvers,
  UserResolvers,
} from '../generated/graphql.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { findWorkspace } from '../workspaces/find-workspace.ts';
import { findPerson } from './find-person.ts';
import { readMe } from './read-me.ts';

export const Query = {
  me: (_parent, _args, context) => readMe(context),
  user: (_parent, { id }, context) => findPerson(context, id),
} satisfies Partial<QueryResolvers>;

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
