import { describe, expect, it } from 'vitest';

import { catalog, grantsOf, permissionsOf, seededRoles, type Scope } from './catalog.ts';

const granted = (role: string, scope: Scope) => [...grantsOf(role, scope)].toSorted();
const everyString = new Set(Object.values(catalog).flatMap((list) => list.map(({ key }) => key)));

describe('the table of seeded roles', () => {
  it.each([
    ['platform', 'PLATFORM_OWNER PLATFORM_ADMIN PLATFORM_OPERATOR PLATFORM_SUPPORT PLATFORM_READONLY'],
    ['organization', 'ORG_OWNER ORG_ADMIN ORG_MANAGER ORG_OPERATOR ORG_MEMBER'],
    ['workspace', 'WORKSPACE_ADMIN WORKSPACE_MEMBER VIEWER'],
  ])('names those of the %s', (scope, ids) => {
    const ofScope = [...seededRoles.values()].filter((role) => role.scope === scope).map(({ id }) => id);
    expect(ofScope.toSorted()).toEqual(ids.split(' ').toSorted());
  });
});

describe('the summary of grants', () => {
  const platformRoles = [...seededRoles.values()].filter(({ scope }) => scope === 'platform').map(({ id }) => id);
  const holders = (permission: string) => platformRoles.filter((role) => grantsOf(role, 'platform').has(permission));

  it('platform: only OWNER and ADMIN may manage or create organizations', () => {
    for (const permission of ['org:create', 'org:manage'])
      expect(holders(permission)).toEqual(['PLATFORM_OWNER', 'PLATFORM_ADMIN']);
  });

  it('platform: only OWNER may delete', () => {
    expect(holders('org:delete')).toEqual(['PLATFORM_OWNER']);
  });

  it.each(['PLATFORM_OPERATOR', 'PLATFORM_SUPPORT', 'PLATFORM_READONLY'])(
    'platform: %s gets console access only',
    (role) => {
      expect(granted(role, 'platform')).toEqual(['platform:apps:platformconsole:access']);
    },
  );

  it('organization: OWNER and ADMIN get every permission, but for the two that are reserved to the owner', () => {
    const all = permissionsOf('organization');
    expect(grantsOf('ORG_OWNER', 'organization')).toEqual(all);
    expect([...all.difference(grantsOf('ORG_ADMIN', 'organization'))]).toEqual(['org:transfer', 'org:account:cancel']);
  });

  it('organization: MANAGER gets workspaces and teams, and the console', () => {
    const beyond = granted('ORG_MANAGER', 'organization').filter((key) => !/^org:(workspaces|teams):/.test(key));
    expect(beyond).toEqual(['org:apps:bizconsole:access']);
    for (const key of ['org:workspaces:manage', 'org:teams:manage'])
      expect(grantsOf('ORG_MANAGER', 'organization').has(key)).toBe(true);
  });

  it('organization: OPERATOR gets console access only, MEMBER nothing', () => {
    expect(granted('ORG_OPERATOR', 'organization')).toEqual(['org:apps:bizconsole:access']);
    expect(granted('ORG_MEMBER', 'organization')).toEqual([]);
  });

  it.each(['catalogue:manage', 'advertising:manage', 'notifications:manage', 'admin-profile:manage'])(
    'workspace: VIEWER is not read-only, it holds %s, and no other right to manage',
    (permission) => {
      const manages = granted('VIEWER', 'workspace').filter((key) => !key.endsWith(':view'));
      expect(manages).toContain(permission);
      expect(manages).toHaveLength(4);
    },
  );
});

describe('the permission catalog', () => {
  it.each([
    'org:users:invite',
    'org:users:manage',
    'org:users:remove',
    'org:roles:manage',
    'org:manage',
    'org:create',
    'org:transfer',
    'org:account:cancel',
    'org:apps:bizconsole:access',
    'org:email-profiles:manage',
    'platform:apps:platformconsole:access',
    'catalogue:manage',
    'advertising:manage',
    'notifications:manage',
    'admin-profile:manage',
  ])('holds %s, which the document names', (permission) => {
    expect(everyString).toContain(permission);
  });
});
