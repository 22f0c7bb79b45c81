import type { MutationResolvers, QueryResolvers, RoleMemberResolvers, RoleResolvers } from '../generated/graphql.ts';
import { requirePerson } from '../tenancy/find-person.ts';
import { requireWorkspace } from '../workspaces/find-workspace.ts';
import { createRole } from './create-role.ts';
import { deleteRole } from './delete-role.ts';
import { listRoleMembers } from './list-role-members.ts';
import { listRoles, readRolesMatrix } from './list-roles.ts';
import { permissionsIn, scopes, unknownIn } from './role.ts';
import { updateRole } from './update-role.ts';

export const Query = {
  roles: (_parent, args, context) => listRoles(context, args),
  rolesMatrix: (_parent, args, context) => readRolesMatrix(context, args),
  roleMembers: (_parent, args, context) => listRoleMembers(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createRole: (_parent, { input }, context) => createRole(context, input),
  updateRole: (_parent, { input }, context) => updateRole(context, input),
  deleteRole: (_parent, { input }, context) => deleteRole(context, input),
} satisfies Partial<MutationResolvers>;

export const Role = {
  scope: ({ scope }) => scopes[scope],
  permissions: (role) => permissionsIn(role),
  unknownPermissions: (role) => unknownIn(role),
} satisfies RoleResolvers;

export const RoleMember = {
  user: ({ userId }, _args, context) => requirePerson(context, userId),
  workspace: ({ workspaceId }, _args, context) => (workspaceId ? requireWorkspace(context, workspaceId) : null),
} satisfies RoleMemberResolvers;
