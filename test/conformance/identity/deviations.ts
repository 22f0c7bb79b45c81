import { expect } from 'vitest';

import { deviates, holds, type Rows } from '../framework/row.ts';
import { acme } from './people.ts';

const platform = '00000000-0000-0000-0000-000000000001';

/** "Known deviations of current behavior": what the legacy services got wrong. */
export const knownDeviations: Rows = {
  'identity-deviations-roles-by-organization': deviates(
    '0051-known-deviations',
    'the role is that of the organization that is asked for, or else of the person’s own',
    async (server) => {
      const owner = await server.owner();
      const roleIn = (organization: string) =>
        server.send('GET', `/api/v1/internal/users/${owner.id}/roles?org_id=${organization}`, {
          headers: server.internal(),
        });
      const own = await server.send('GET', `/api/v1/internal/users/${owner.id}/roles`, { headers: server.internal() });
      expect([own.status, own.json.role, own.json.org_id]).toEqual([200, 'ORG_ADMIN', platform]);
      expect((await roleIn(platform)).json.role).toBe('ORG_ADMIN');
      expect((await roleIn(acme)).status).toBe(404);
    },
  ),

  'identity-deviations-team-ids': deviates(
    '0051-known-deviations',
    'a team of another organization is 404',
    async (server) => {
      const [one, other] = [await server.organization(), await server.newOrganization()];
      const { json } = await other.ask('POST', '/teams', { body: { name: 'Theirs' } });
      for (const [method, path, body] of [
        ['PATCH', '', { name: 'Mine' }],
        ['POST', '/members', { user_id: one.admin.id }],
        ['POST', '/workspaces', { workspace_id: one.workspaceId, role: 'VIEWER' }],
        ['DELETE', '', undefined],
      ] as const)
        expect([method, (await one.ask(method, `/teams/${json.data.id}${path}`, { body })).status]).toEqual([
          method,
          404,
        ]);
    },
  ),

  'identity-deviations-hierarchy': deviates(
    '0043-nobody-grants-what-they-do-not-hold',
    'nobody gives a role above their own, and the last owner stays',
    async (server) => {
      const organization = await server.newOrganization();
      const { admin } = organization;
      const manager = await organization.member();
      const role = (of: string, role: string, headers = admin.headers) =>
        organization.ask('PATCH', `/users/${of}/role`, { headers, body: { role } });
      expect((await role(admin.id, 'ORG_MEMBER')).status).toBe(403);
      expect((await role(manager.id, 'ORG_OWNER')).status).toBe(200);
      const owner = await organization.again(manager.email);
      expect((await role(admin.id, 'ORG_OWNER')).status).toBe(403);
      expect((await organization.ask('DELETE', `/users/${owner.id}`)).status).toBe(403);
    },
  ),

  'identity-deviations-platform-organization': deviates('0015-tenancy', 'it is protected: 409', async (server) => {
    const { headers } = await server.owner();
    const { status, json } = await server.send('DELETE', `/api/v1/tenancy/organizations/${platform}`, { headers });
    expect([status, json.code]).toEqual([409, 'PLATFORM_ORG_PROTECTED']);
  }),

  'identity-deviations-role-member': holds(async (server) => {
    const organization = await server.organization();
    const { json } = await organization.ask('GET', '/roles?limit=100');
    expect(json.data.map(({ id }: { id: string }) => id)).not.toContain('member');
  }),
};
