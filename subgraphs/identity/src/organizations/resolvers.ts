import type {
  CreatedOrganizationResolvers,
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
} from '../generated/graphql.ts';
import { personOf } from '../tenancy/person.ts';
import { workspaceAsSeen } from '../workspaces/workspace.ts';
import { createOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { findOrganization, lookUpOrganization } from '../tenancy/find-organization.ts';
import { listOrganizations } from './list-organizations.ts';
import { organizationAsSeen } from '../tenancy/organization.ts';
import { setOrganizationStatus } from './set-organization-status.ts';

export const Query = {
  organization: (_parent, { id }, context) => lookUpOrganization(context, id),
  organizations: (_parent, args, context) => listOrganizations(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createOrganization: (_parent, { input }, context) => createOrganization(context, input),
  setOrganizationStatus: (_parent, { input }, context) => setOrganizationStatus(context, input),
  deleteOrganization: (_parent, { id }, context) => deleteOrganization(context, id),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  __resolveReference: ({ id }, context) => findOrganization(context, id),
} satisfies Omit<OrganizationResolvers, 'application' | 'apps' | 'workspaces'>;

export const CreatedOrganization = {
  organization: ({ organization }) => organizationAsSeen(organization, true),
  admin: ({ admin }) => (admin ? personOf(admin) : null),
  workspace: ({ workspace }) => (workspace ? workspaceAsSeen(workspace, true) : null),
} satisfies CreatedOrganizationResolvers;
