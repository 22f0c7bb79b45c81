import { expect } from 'vitest';

import { deviates, holds, shownBy, type Rows } from '../framework/row.ts';
import { acme, catalog, me } from './people.ts';

const summary = 'subgraphs/identity/src/permissions/summary-of-grants.test.ts';

interface Role {
  id: string;
  scope: string;
  is_system: boolean;
  permissions: string[];
}

/** "Seeded roles" and "Permission catalog". */
export const roles: Rows = {
  'identity-roles-platform': shownBy(
    summary,
    'the table of seeded roles',
    'roles of the platform are given by operators',
  ),

  'identity-roles-organization': holds(async (server) => {
    const { json } = await (await server.organization()).ask('GET', '/roles?limit=100');
    const found = (json.data as Role[]).filter(({ scope, is_system }) => is_system && scope === 'organization');
    expect(found.map(({ id }) => id).toSorted()).toEqual([
      'ORG_ADMIN',
      'ORG_MANAGER',
      'ORG_MEMBER',
      'ORG_OPERATOR',
      'ORG_OWNER',
    ]);
  }),

  'identity-roles-workspace': holds(async (server) => {
    const { json } = await (await server.organization()).ask('GET', '/roles?limit=100');
    const found = (json.data as Role[]).filter(({ scope, is_system }) => is_system && scope === 'workspace');
    expect(found.map(({ id }) => id).toSorted()).toEqual(['VIEWER', 'WORKSPACE_ADMIN', 'WORKSPACE_MEMBER']);
  }),

  'identity-roles-custom': holds(async (server) => {
    const organization = await server.newOrganization();
    for (const scope of ['organization', 'workspace']) {
      const { status, json } = await organization.ask('POST', '/roles', {
        body: { name: `Custom ${scope}`, scope, description: '', permissions: [] },
      });
      expect([status, json.data]).toEqual([
        201,
        expect.objectContaining({ id: expect.stringMatching(/^[\da-f-]{36}$/), is_system: false, scope }),
      ]);
    }
  }),

  'identity-roles-grants-platform': shownBy(
    summary,
    'platform: only OWNER and ADMIN may manage or create organizations',
  ),

  'identity-roles-grants-organization': deviates(
    '0043-nobody-grants-what-they-do-not-hold',
    'as documented, but that an ORG_MANAGER gives nobody a role in a workspace above their own',
    async (server) => {
      const { json } = await (await server.organization()).ask('GET', '/roles-matrix');
      const { permissions } = json.data as { permissions: { organization: string[] } };
      const of = (id: string) => (json.data.roles as Role[]).find((role) => role.id === id)?.permissions ?? [];
      expect(of('ORG_OWNER').toSorted()).toEqual(permissions.organization.toSorted());
      const reserved = ['org:transfer', 'org:account:cancel'];
      expect(of('ORG_ADMIN').toSorted()).toEqual(
        permissions.organization.filter((each) => !reserved.includes(each)).toSorted(),
      );
      expect(of('ORG_OPERATOR')).toEqual(['org:apps:bizconsole:access']);
      expect(of('ORG_MEMBER')).toEqual([]);
      const ofManager = of('ORG_MANAGER').filter((each) => !/^org:(workspaces|teams|apps):/.test(each));
      expect([ofManager, of('ORG_MANAGER').length > 0]).toEqual([[], true]);
    },
  ),

  'identity-roles-grants-viewer': holds(async (server) => {
    const { headers } = await server.login('viewer@acme.test', 'ACME');
    const { json } = await server.send('GET', me, { headers });
    expect(json.org.workspaces[0].permissions).toEqual(
      expect.arrayContaining([
        'catalogue:manage',
        'advertising:manage',
        'notifications:manage',
        'admin-profile:manage',
      ]),
    );
  }),

  'identity-roles-grants-org-owner': deviates(
    '0043-nobody-grants-what-they-do-not-hold',
    'no seed makes one; an administrator names an owner while there is none',
    async (server) => {
      const { id, admin } = await server.newOrganization(); // on a server in use, Acme may have an owner
      const { status, json } = await server.send('GET', `/api/v1/tenancy/organizations/${id}/roles/ORG_OWNER/members`, {
        headers: admin.headers,
      });
      expect([status, json.data]).toEqual([200, []]);
    },
  ),

  'identity-catalog-size': holds(async (server) => {
    const { status, json } = await catalog(server);
    expect([status, json.platform.length, json.organization.length, json.workspace.length]).toEqual([200, 4, 25, 33]);
    const { headers } = await server.owner();
    expect((await server.send('POST', '/api/v1/tenancy/permissions/catalog', { headers, body: {} })).status).toBe(404);
  }),

  'identity-catalog-named-strings': holds(async (server) => {
    const { json } = await catalog(server);
    const all = [...json.platform, ...json.organization, ...json.workspace];
    const named =
      'org:users:invite org:users:manage org:users:remove org:roles:manage org:manage org:create org:transfer org:account:cancel org:apps:bizconsole:access org:email-profiles:manage platform:apps:platformconsole:access catalogue:manage advertising:manage notifications:manage admin-profile:manage';
    expect(named.split(' ').filter((name) => !all.includes(name))).toEqual([]);
  }),

  'identity-catalog-unchecked-strings': holds(async (server) => {
    const { headers } = await server.login('member@acme.test', 'ACME');
    for (const list of ['users', 'roles', 'workspaces', 'teams'])
      expect([
        list,
        (await server.send('GET', `/api/v1/tenancy/organizations/${acme}/${list}`, { headers })).status,
      ]).toEqual([list, 200]);
  }, 'routes that are ours check some of them: the audit log org:security:view, e-mail profiles org:email-profiles:view'),
};
