import type {
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { listApps } from './list-apps.ts';
import { setOrganizationApps } from './set-organization-apps.ts';
import { setWorkspaceApps } from './set-workspace-apps.ts';

export const Query = {
  apps: (_parent, _args, context) => listApps(context),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  setOrganizationApps: (_parent, { input }, context) => setOrganizationApps(context, input),
  setWorkspaceApps: (_parent, { input }, context) => setWorkspaceApps(context, input),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  apps: ({ id, known }, _args, { loaders }) => (known ? loaders.appsOfOrganization.load(id) : []),
} satisfies Pick<OrganizationResolvers, 'apps'>;

export const Workspace = {
  apps: ({ id, organizationId }, _args, { loaders }) => (organizationId ? loaders.appsOfWorkspace.load(id) : []),
} satisfies Pick<WorkspaceResolvers, 'apps'>;
