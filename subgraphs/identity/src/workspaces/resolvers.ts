import type {
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { findOrganization } from '../tenancy/find-organization.ts';
import { createWorkspace } from './create-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { findWorkspace, lookUpWorkspace } from './find-workspace.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { pageWorkspaces } from './page-workspaces.ts';
import { updateWorkspace } from './update-workspace.ts';

export const Query = {
  workspace: (_parent, { id }, context) => lookUpWorkspace(context, id),
  workspaces: (_parent, args, context) => pageWorkspaces(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createWorkspace: (_parent, { input }, context) => createWorkspace(context, input),
  updateWorkspace: (_parent, { input }, context) => updateWorkspace(context, input),
  deleteWorkspace: (_parent, { input }, context) => deleteWorkspace(context, input),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  workspaces: (organization, _args, context) => listWorkspaces(context, organization),
} satisfies Pick<OrganizationResolvers, 'workspaces'>;

export const Workspace = {
  __resolveReference: ({ id }, context) => findWorkspace(context, id),
  organization: ({ organizationId }, _args, context) =>
    organizationId ? findOrganization(context, organizationId) : null,
} satisfies Omit<WorkspaceResolvers, 'apps'>;
