import document from '@foyer/shared/auth/permission-catalog.json' with { type: 'json' };

/** All permissions by scope, and the 13 seeded roles (docs/decisions: the grant matrix). */
export const catalog = document.catalog;

export type Scope = keyof typeof catalog;

export interface SeededRole {
  id: string;
  scope: Scope;
  rank: number;
  permissions: ReadonlySet<string>;
  /** Passes every workspace permission in its organization. */
  workspaceBypass: boolean;
}

export const seededRoles: ReadonlyMap<string, SeededRole> = new Map(
  document.roles.map((role) => [
    role.id,
    {
      id: role.id,
      scope: role.scope as Scope,
      rank: role.rank,
      permissions: new Set(role.permissions),
      workspaceBypass: 'workspaceBypass' in role && role.workspaceBypass,
    },
  ]),
);

const keysOf = (scope: Scope): ReadonlySet<string> => new Set(catalog[scope].map(({ key }) => key));

const keys = { platform: keysOf('platform'), organization: keysOf('organization'), workspace: keysOf('workspace') };

/** The permissions of one scope; any other string grants nothing there. */
export const permissionsOf = (scope: Scope): ReadonlySet<string> => keys[scope];

export const nothing: ReadonlySet<string> = new Set();

/** What a seeded role grants in one scope. */
export function grantsOf(roleId: string, scope: Scope): ReadonlySet<string> {
  const role = seededRoles.get(roleId);
  return role?.scope === scope ? role.permissions : nothing;
}

/** What a platform role grants; null is the role of most people, who have none. */
export const grantsOnPlatform = (roleId: string | null): ReadonlySet<string> =>
  roleId === null ? nothing : grantsOf(roleId, 'platform');
