import { z } from 'zod';

import type { RoleMembersQuery, RolePartsFragment, RolesMatrixQuery } from '../generated/operations.ts';
import { answered } from '../answered.ts';
import { lowercase, ok, okOf } from './envelope.ts';
import { Person, person } from './people.ts';

export const Role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    scope: z.enum(['platform', 'organization', 'workspace']),
    is_system: z.boolean(),
    permissions: z.array(z.string()),
    unknown_permissions: z.array(z.string()),
  })
  .meta({ id: 'Role' });

export const oneRole = (found: RolePartsFragment): z.input<typeof Role> => ({
  id: found.id,
  name: found.name,
  description: found.description,
  scope: lowercase(found.scope),
  is_system: found.isSystem,
  permissions: found.permissions,
  unknown_permissions: found.unknownPermissions,
});

/** Somebody with a role, and the workspace of a role that is held in one. */
export const RoleMember = Person.extend({
  workspace_id: z.string().optional(),
  workspace_name: z.string().optional(),
}).meta({ id: 'RoleMember' });

type RoleMemberParts = NonNullable<RoleMembersQuery['roleMembers']>['edges'][number]['node'];

export const roleMember = ({ user, workspace }: RoleMemberParts): z.input<typeof RoleMember> => ({
  ...person(user),
  ...(workspace && { workspace_id: workspace.id, workspace_name: workspace.name }),
});

/** The permissions, and the roles that grant them. */
export const RolesMatrix = okOf(
  z.object({
    permissions: z.object({ organization: z.array(z.string()), workspace: z.array(z.string()) }),
    roles: z.array(Role),
  }),
).meta({ id: 'RolesMatrix' });

export const rolesMatrix = ({ permissionCatalog, rolesMatrix: roles }: RolesMatrixQuery): z.input<typeof RolesMatrix> =>
  ok({
    permissions: {
      organization: answered(permissionCatalog).organization.map(({ key }) => key),
      workspace: answered(permissionCatalog).workspace.map(({ key }) => key),
    },
    roles: answered(roles).map(oneRole),
  });
