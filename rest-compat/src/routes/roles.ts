import { z } from 'zod';

import { Id, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { oneRole, Role, RoleMember, roleMember, RolesMatrix, rolesMatrix } from '../answers/roles.ts';
import {
  CreateRoleDocument,
  DeleteRoleDocument,
  RoleMembersDocument,
  RolesDocument,
  RolesMatrixDocument,
  UpdateRoleDocument,
} from '../generated/operations.ts';
import { offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import { inOrganization, list, prose, role, tenancy, text } from '../tenancy.ts';

const roles = `${tenancy}/:orgId/roles`;
const ofRole = inOrganization.extend({ id: role });
const permissions = z.array(text.min(1)).max(200);
const RoleChanges = z
  .object({ name: text.optional(), description: prose.optional(), permissions: permissions.optional() })
  .meta({ id: 'RoleChanges' });

/** Spec 1, "Core service: identity and tenancy routes": roles. */
export const roleRoutes = [
  route('GET', roles, {
    document: RolesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    answer: pageOf(Role),
    reply: ({ roles: found }, { query }) => pageReply(found, oneRole, query),
  }),

  route('GET', `${tenancy}/:orgId/roles-matrix`, {
    document: RolesMatrixDocument,
    input: z.object({ params: inOrganization }),
    variables: ({ params }) => ({ organizationId: params.orgId }),
    answer: RolesMatrix,
    reply: rolesMatrix,
  }),

  route('GET', `${roles}/:id/members`, {
    document: RoleMembersDocument,
    input: list.extend({ params: ofRole }),
    variables: ({ params, query }) => ({ organizationId: params.orgId, roleId: params.id, ...offsetArguments(query) }),
    answer: pageOf(RoleMember),
    reply: ({ roleMembers }, { query }) => pageReply(roleMembers, roleMember, query),
  }),

  route('POST', roles, {
    document: CreateRoleDocument,
    input: z.object({
      params: inOrganization,
      body: z.object({
        name: text.trim().min(1, 'must not be empty'),
        scope: z.enum(['organization', 'workspace'], 'must be organization or workspace'),
        description: prose.default(''),
        permissions: permissions.default([]),
      }),
    }),
    variables: ({ params, body: { scope, ...body } }) => ({
      input: {
        organizationId: params.orgId,
        scope: scope === 'organization' ? ('ORGANIZATION' as const) : ('WORKSPACE' as const),
        ...body,
      },
    }),
    answer: okOf(Role),
    reply: ({ createRole }) => ok(oneRole(createRole)),
    status: 201,
  }),

  ...(['PATCH', 'PUT'] as const).map((method) =>
    route(method, `${roles}/:id`, {
      document: UpdateRoleDocument,
      input: z.object({
        params: ofRole,
        body: RoleChanges,
      }),
      variables: ({ params, body }) => ({ input: { organizationId: params.orgId, roleId: params.id, ...body } }),
      answer: okOf(Role),
      reply: ({ updateRole }) => ok(oneRole(updateRole)),
    }),
  ),

  route('DELETE', `${roles}/:id`, {
    document: DeleteRoleDocument,
    input: z.object({ params: ofRole }),
    variables: ({ params }) => ({ input: { organizationId: params.orgId, roleId: params.id } }),
    answer: okOf(Id),
    reply: ({ deleteRole }) => ok({ id: deleteRole }),
  }),
];
