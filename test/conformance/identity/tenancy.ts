import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { deviates, holds, type Rows } from '../framework/row.ts';
import type { Organization } from '../framework/server.ts';
import { acme, catalog, invited, me } from './people.ts';

const tenancy = '/api/v1/tenancy/organizations';
const nobody = '0a0c0000-0000-4000-8000-00000000ffff';
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** A person without the permission, and the response that they get. */
const refused = async (organization: Organization, method: string, path: string, body?: object) => {
  const { headers } = await organization.member();
  return [
    await statusOf(organization.ask(method, path, { headers: {}, ...(body && { body }) })),
    await statusOf(organization.ask(method, path, { headers, ...(body && { body }) })),
  ];
};

/** "Core service: identity and tenancy routes": the table. */
export const tenancyRoutes: Rows = {
  'identity-tenancy-get-identity-users-me': holds(async (server) => {
    expect((await server.send('GET', me)).status).toBe(401);
    const { status, json } = await server.send('GET', me, { headers: (await server.acmeAdmin()).headers });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        user: expect.objectContaining({ email: 'orgadmin@acme.test' }),
        platform_role: null,
        org: expect.objectContaining({
          role: 'ORG_ADMIN',
          permissions: expect.arrayContaining(['org:users:invite']),
          workspaces: expect.any(Array),
        }),
      }),
    ]);
  }),

  'identity-tenancy-get-permissions-catalog': holds(async (server) => {
    const { status, json } = await catalog(server);
    expect([status, Object.keys(json).toSorted()]).toEqual([200, ['organization', 'platform', 'workspace']]);
    expect(json.organization).toContain('org:users:invite');
  }),

  'identity-tenancy-post-organizations': holds(async (server) => {
    expect((await server.organization()).created.status).toBe(201);
    const { headers } = await server.acmeAdmin();
    const body = { name: 'No', company_code: randomUUID(), hosting_type: 'on_prem', license_duration_days: 1 };
    expect(await statusOf(server.send('POST', tenancy, { body }))).toBe(401);
    expect(await statusOf(server.send('POST', tenancy, { headers, body }))).toBe(403);
  }),

  'identity-tenancy-put-organizations-org-id-status': holds(async (server) => {
    const organization = await server.newOrganization();
    const set = (headers: Record<string, string>, status: string) =>
      organization.ask('PUT', '/status', { headers, body: { status } });
    expect(await statusOf(set(organization.admin.headers, 'disabled'))).toBe(403);
    const { headers } = await server.owner();
    expect([await statusOf(set(headers, 'disabled')), await statusOf(set(headers, 'active'))]).toEqual([200, 200]);
    expect(await statusOf(set(headers, 'pending'))).toBe(400);
  }),

  'identity-tenancy-delete-organizations-org-id': holds(async (server) => {
    const organization = await server.newOrganization();
    expect(await statusOf(organization.ask('DELETE', ''))).toBe(403);
    const { headers } = await server.owner();
    expect(await statusOf(organization.ask('DELETE', '', { headers }))).toBe(200);
    await expect(organization.again(organization.mail('admin'))).rejects.toThrow('401');
  }),

  'identity-tenancy-post-organizations-org-id-invitations': holds(async (server) => {
    const { answer } = await invited(server); // sends role: ORG_OWNER
    expect([answer.status, answer.json.user.role]).toEqual([201, 'ORG_MEMBER']);
    const body = { username: 'x@x.test', email: 'x@x.test', given_name: 'X', family_name: 'Y' };
    expect(await refused(await server.organization(), 'POST', '/invitations', body)).toEqual([401, 403]);
  }),

  'identity-tenancy-post-organizations-org-id-users-uid-reinvite': holds(async (server) => {
    const { id, token } = await invited(server);
    const { headers } = await server.acmeAdmin();
    const again = () => server.send('POST', `${tenancy}/${acme}/users/${id}/reinvite`, { headers });
    const { json } = await again();
    expect([json.success, token]).toEqual([true, expect.any(String)]);
    const member = await server.login('member@acme.test', 'ACME');
    const path = `${tenancy}/${acme}/users/${member.id}/reinvite`;
    expect(await statusOf(server.send('POST', path, { headers }))).toBe(409);
    expect(await refused(await server.organization(), 'POST', `/users/${nobody}/reinvite`)).toEqual([401, 403]);
  }),

  'identity-tenancy-patch-organizations-org-id-users-uid-role': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    const body = { role: 'ORG_MANAGER' };
    expect(await organization.ask('PATCH', `/users/${id}/role`, { body })).toMatchObject({
      status: 200,
      json: { data: { id, role: 'ORG_MANAGER' } },
    });
    expect(await statusOf(organization.ask('PATCH', `/users/${organization.admin.id}/role`, { body }))).toBe(403);
    expect(await refused(organization, 'PATCH', `/users/${id}/role`, body)).toEqual([401, 403]);
  }),

  'identity-tenancy-patch-organizations-org-id-users-uid-status': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    for (const status of ['disabled', 'active'])
      expect(await organization.ask('PATCH', `/users/${id}/status`, { body: { status } })).toMatchObject({
        status: 200,
        json: { data: { id, account_state: status } },
      });
    expect(await refused(organization, 'PATCH', `/users/${id}/status`, { status: 'disabled' })).toEqual([401, 403]);
  }),

  'identity-tenancy-delete-organizations-org-id-users-uid': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    expect(await refused(organization, 'DELETE', `/users/${id}`)).toEqual([401, 403]);
    expect(await statusOf(organization.ask('DELETE', `/users/${id}`))).toBe(200);
    expect(await statusOf(organization.ask('DELETE', `/users/${id}`))).toBe(404);
  }),

  'identity-tenancy-workspace-members': deviates(
    '0043-nobody-grants-what-they-do-not-hold',
    'nobody gives more than they hold: an ORG_MANAGER gives no role above their own',
    async (server) => {
      const organization = await server.organization();
      const members = `/workspaces/${organization.workspaceId}/members`;
      const { id } = await organization.member();
      const body = { user_id: id, role: 'VIEWER' };
      expect(await refused(organization, 'POST', members, body)).toEqual([401, 403]);
      expect(await statusOf(organization.ask('POST', members, { body }))).toBe(201);
      const changed = await organization.ask('PATCH', `${members}/${id}`, { body: { role: 'WORKSPACE_MEMBER' } });
      expect([changed.status, changed.json.data.role]).toEqual([200, 'WORKSPACE_MEMBER']);
      expect(await statusOf(organization.ask('DELETE', `${members}/${id}`))).toBe(200);

      const manager = await organization.member();
      await organization.ask('PATCH', `/users/${manager.id}/role`, { body: { role: 'ORG_MANAGER' } });
      const { headers } = await organization.again(manager.email);
      const above = await organization.ask('POST', members, { headers, body: { ...body, role: 'WORKSPACE_ADMIN' } });
      expect([above.status, above.json.code]).toEqual([403, 'ROLE_ABOVE_OWN']);
    },
  ),

  'identity-tenancy-team-members-and-workspaces': holds(async (server) => {
    const organization = await server.organization();
    const team = (await organization.ask('POST', '/teams', { body: { name: 'A team' } })).json.data.id as string;
    const workspace = (await organization.ask('POST', '/workspaces', { body: { name: 'A place' } })).json.data.id;
    const { id } = await organization.member();
    for (const [path, child, given, role, other] of [
      [`/teams/${team}/members`, id, { user_id: id }, 'member', 'lead'],
      [`/teams/${team}/workspaces`, workspace, { workspace_id: workspace }, 'VIEWER', 'WORKSPACE_MEMBER'],
    ] as const) {
      expect(await refused(organization, 'POST', path, { ...given, role })).toEqual([401, 403]);
      for (const inBody of [false, true]) {
        const at = inBody ? path : `${path}/${child}`;
        const body = inBody ? given : {};
        const answers = [
          await statusOf(organization.ask('POST', path, { body: { ...given, role } })),
          await statusOf(organization.ask('PATCH', at, { body: { ...body, role: other } })),
          await statusOf(organization.ask('DELETE', at, inBody ? { body } : {})),
        ];
        expect([path, inBody, ...answers]).toEqual([path, inBody, 201, 200, 200]);
      }
    }
  }),

  'identity-tenancy-post-organizations-org-id-roles': holds(async (server) => {
    const organization = await server.organization();
    const body = {
      name: `Role ${randomUUID()}`,
      scope: 'workspace',
      description: 'For tests',
      permissions: ['catalogue:manage'],
    };
    const { status, json } = await organization.ask('POST', '/roles', { body });
    expect([status, json.data]).toEqual([201, expect.objectContaining({ ...body, is_system: false })]);
    expect(await refused(organization, 'POST', '/roles', body)).toEqual([401, 403]);
  }),

  'identity-tenancy-lists': holds(async (server) => {
    const organization = await server.organization();
    const team = (await organization.ask('POST', '/teams', { body: { name: 'Listed' } })).json.data.id as string;
    const { headers } = await organization.member();
    for (const path of [
      '/users',
      '/roles',
      '/roles-matrix',
      '/roles/ORG_ADMIN/members',
      '/workspaces',
      `/workspaces/${organization.workspaceId}/members`,
      '/teams',
      `/teams/${team}/members`,
    ]) {
      expect([path, await statusOf(organization.ask('GET', path, { headers: {} }))]).toEqual([path, 401]);
      expect([path, await statusOf(organization.ask('GET', path, { headers }))]).toEqual([path, 200]);
    }
  }),
};
