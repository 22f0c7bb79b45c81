import type { QueryResolvers, WorkspaceResolvers } from '../generated/graphql.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { findWorkspace } from './find-workspace.ts';

export const Query = {
  workspace: (_parent, { id }, context) => findWorkspace(context, id),
} satisfies Partial<QueryResolvers>;

export const Workspace = {
  __resolveReference: ({ id }, context) => findWorkspace(context, id),
  organization: ({ organizationId }, _args, context) =>
    organizationId ? findOrganization(context, organizationId) : null,
} satisfies WorkspaceResolvers;
