import type { OrganizationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { listWorkspaces } from '../workspaces/list-workspaces.ts';
import { findOrganization } from './find-organization.ts';

export const Query = {
  organization: (_parent, { id }, context) => findOrganization(context, id),
} satisfies Partial<QueryResolvers>;

export const Organization = {
  __resolveReference: ({ id }, context) => findOrganization(context, id),
  workspaces: (organization, _args, context) => listWorkspaces(context, organization),
} satisfies OrganizationResolvers;
