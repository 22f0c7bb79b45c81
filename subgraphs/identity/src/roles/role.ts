import type { Role as RoleRow, RolePermission } from '@foyer/prisma/client';

import { permissionsOf, seededRoles } from '../permissions/catalog.ts';

/** A role with what it grants. */
export type Role = RoleRow & { permissions: RolePermission[] };

export const scopes = { platform: 'PLATFORM', organization: 'ORGANIZATION', workspace: 'WORKSPACE' } as const;

/** Whether a seeded role, of any scope, has this name: its id. People would take another one for it. */
export const isSeededName = (name: string) => seededRoles.has(name);

export const permissionsIn = ({ permissions }: Role): string[] =>
  permissions.map(({ permission }) => permission).toSorted();

/**
 * Strings that are not in the catalog of the role's scope grant nothing; they are kept, because our catalog may be
 * older.
 */
export const unknownIn = (role: Role): string[] =>
  permissionsIn(role).filter((permission) => !permissionsOf(role.scope).has(permission));
