import { z } from 'zod';

import {
  CreateRoleDocument,
  DeleteRoleDocument,
  RoleMembersDocument,
  RolesDocument,
  RolesMatrixDocument,
  UpdateRoleDocument,
  type RolesMatrixQuery,
} from '../generated/operations.ts';
import { paginated, offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import { inOrganization, list, nodes, ok, oneRole, person, prose, role, tenancy, text } from '../tenancy.ts';

const roles = `${tenancy}/:orgId/roles`;
const ofRole = inOrganization.extend({ id: role });
const permissions = z.array(text.min(1)).max(200);

/** The permissions, and the roles that grant them. */
export const matrix = ({ rolesMatrix, permissionCatalog }: RolesMatrixQuery) =>
  ok({
    permissions: {
      organization: permissionCatalog.organization.map(({ key }) => key),
      workspace: permissionCatalog.workspace.map(({ key }) => key),
    },
    roles: rolesMatrix.map(oneRole),
  });

/** Spec 1, "Core service: identity and tenancy routes": roles. */
export const roleRoutes = [
  route('GET', roles, {
    document: RolesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    reply: ({ roles: found }, { query }) => paginated(nodes(found, oneRole), query, found.totalCount),
  }),

  route('GET', `${tenancy}/:orgId/roles-matrix`, {
    document: RolesMatrixDocument,
    input: z.object({ params: inOrganization }),
    variables: ({ params }) => ({ organizationId: params.orgId }),
    reply: matrix,
  }),

  route('GET', `${roles}/:id/members`, {
    document: RoleMembersDocument,
    input: list.extend({ params: ofRole }),
    variables: ({ params, query }) => ({ organizationId: params.orgId, roleId: params.id, ...offsetArguments(query) }),
    reply: ({ roleMembers: found }, { query }) =>
      paginated(
        nodes(found, ({ user, workspace }) => ({
          ...person(user),
          ...(workspace && { workspace_id: workspace.id, workspace_name: workspace.name }),
        })),
        query,
        found.totalCount,
      ),
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
    reply: ({ createRole }) => ok(oneRole(createRole)),
    status: 201,
  }),

  ...(['PATCH', 'PUT'] as const).map((method) =>
    route(method, `${roles}/:id`, {
      document: UpdateRoleDocument,
      input: z.object({
        params: ofRole,
        body: z.object({
          name: text.optional(),
          description: prose.optional(),
          permissions: permissions.optional(),
        }),
      }),
      variables: ({ params, body }) => ({ input: { organizationId: params.orgId, roleId: params.id, ...body } }),
      reply: ({ updateRole }) => ok(oneRole(updateRole)),
    }),
  ),

  route('DELETE', `${roles}/:id`, {
    document: DeleteRoleDocument,
    input: z.object({ params: ofRole }),
    variables: ({ params }) => ({ input: { organizationId: params.orgId, roleId: params.id } }),
    reply: ({ deleteRole }) => ok({ id: deleteRole }),
  }),
];
