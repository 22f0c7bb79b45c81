import { readId } from '@foyer/shared/ids';

import { describe, expect, it } from 'vitest';

import { catalog, grantsOf, seededRoles } from './catalog.ts';
import { judgeWorkspace } from './workspace-rights.ts';

const workspace = { id: readId('w'), name: 'Main', organizationId: readId('o') };
const judge = (organizationRole: string | null, roles: string[], customPermissions: string[] = []) =>
  judgeWorkspace({ ...workspace, organizationRole, roles, customPermissions });

describe('the catalog', () => {
  it('holds 4 platform, 25 organization and 33 workspace permissions, and 13 roles', () => {
    expect([catalog.platform.length, catalog.organization.length, catalog.workspace.length, seededRoles.size]).toEqual([
      4, 25, 33, 13,
    ]);
  });

  it('nests: each role holds all that the lower roles of its scope hold', () => {
    for (const scope of ['platform', 'organization', 'workspace'] as const) {
      const climbing = [...seededRoles.values()]
        .filter((role) => role.scope === scope)
        .toSorted((one, other) => one.rank - other.rank);
      const stepsDown = climbing
        .slice(1)
        .filter((role, index) => !climbing[index]?.permissions.isSubsetOf(role.permissions));
      expect(stepsDown).toEqual([]);
    }
  });

  it('grants a role nothing in a scope that is not its own', () => {
    expect(grantsOf('ORG_ADMIN', 'workspace').size).toBe(0);
    expect(grantsOf('member', 'organization').size).toBe(0);
  });
});

describe('the rights in a workspace', () => {
  it('are all of them for the owner and the administrator of its organization', () => {
    for (const role of ['ORG_OWNER', 'ORG_ADMIN']) expect(judge(role, []).permissions.size).toBe(33);
    for (const role of ['ORG_MANAGER', 'ORG_OPERATOR', 'ORG_MEMBER', 'c0ffee', null])
      expect(judge(role, []).permissions.size).toBe(0);
  });

  it('are the union of direct and team roles, shown under the highest', () => {
    const rights = judge('ORG_MEMBER', ['VIEWER', 'WORKSPACE_MEMBER']);
    expect(rights.role).toBe('WORKSPACE_MEMBER');
    expect(rights.permissions).toEqual(grantsOf('WORKSPACE_MEMBER', 'workspace'));
  });

  it('include the permissions of custom roles that the catalog knows, and none of another scope', () => {
    const rights = judge(
      null,
      ['2f1c7b5e-0000-4000-8000-000000000001'],
      ['media:upload', 'no:such', 'org:users:invite'],
    );
    expect([...rights.permissions]).toEqual(['media:upload']);
  });

  it('let a viewer change the catalogue, as documented', () => {
    expect(judge(null, ['VIEWER']).permissions.has('catalogue:manage')).toBe(true);
    expect(judge(null, ['VIEWER']).permissions.has('payments:view')).toBe(false);
  });
});
