import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { deviates, holds, type Rows } from '../framework/row.ts';
import { acme, me } from './people.ts';

const tenancy = '/api/v1/tenancy/organizations';
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** The sentences and rules below the table. */
export const tenancyRules: Rows = {
  'identity-tenancy-role-string': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    const path = `/workspaces/${organization.workspaceId}/members`;
    const { json } = await organization.ask('POST', path, { body: { user_id: id, role: 'VIEWER' } });
    expect(json.data).toMatchObject({ id, role: 'VIEWER' });
  }),

  'identity-tenancy-organization-body': holds(async (server) => {
    const { headers } = await server.owner();
    const create = (body: object) => server.send('POST', tenancy, { headers, body });
    const code = () => `BODY-${randomUUID().slice(0, 8)}`;
    const admin = () => ({
      username: `${randomUUID()}@body.test`,
      email: `${randomUUID()}@body.test`,
      password: 'Body-secret-1',
    });
    const name = `Body ${randomUUID()}`; // a deployment may be checked again
    const cloud = () => ({ name, company_code: code(), app_ids: ['ticketing'], admin: admin() });
    const { name: _name, ...nameless } = cloud();
    const { company_code: _code, ...codeless } = cloud();
    const { admin: _admin, ...alone } = cloud();
    for (const wrong of [nameless, codeless, alone, { ...cloud(), app_ids: [] }, { ...cloud(), hosting_type: 'moon' }])
      expect(await statusOf(create(wrong))).toBe(400);

    const optional = { legal_name: 'Body Sdn Bhd', website: 'https://body.test', timezone: 'Asia/Kuala_Lumpur' };
    const made = await create({ ...cloud(), ...optional });
    expect([made.status, made.json.data]).toEqual([201, expect.objectContaining(optional)]);

    const premises = await create({
      name,
      company_code: code(),
      hosting_type: 'on_prem',
      license_duration_days: 30,
    });
    expect([premises.status, premises.json.data.license_key]).toEqual([201, expect.any(String)]);
    expect(premises.json.data).not.toHaveProperty('admin');
  }),

  'identity-tenancy-organization-administrator': holds(async (server) => {
    const organization = await server.newOrganization();
    const { json } = await server.send('GET', me, { headers: organization.admin.headers });
    expect([json.org.role, json.org.workspaces.map(({ name }: { name: string }) => name)]).toEqual([
      'ORG_ADMIN',
      ['Default'],
    ]);
    const email = `${randomUUID()}@simple.test`;
    const simple = await server.send('POST', tenancy, {
      headers: (await server.owner()).headers,
      body: {
        name: 'Simple',
        company_code: randomUUID().slice(0, 8),
        app_ids: ['ticketing'],
        admin: { username: email, email, password: 'simple' },
      },
    });
    expect(simple.status).toBe(400);
  }),

  'identity-tenancy-1-direct-and-team': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    const team = (await organization.ask('POST', '/teams', { body: { name: 'Double' } })).json.data.id as string;
    const workspace = (await organization.ask('POST', '/workspaces', { body: { name: 'Double' } })).json.data.id;
    await organization.ask('POST', `/teams/${team}/workspaces`, { body: { workspace_id: workspace, role: 'VIEWER' } });
    await organization.ask('POST', `/workspaces/${workspace}/members`, { body: { user_id: id, role: 'VIEWER' } });
    expect(await statusOf(organization.ask('POST', `/teams/${team}/members`, { body: { user_id: id } }))).toBe(409);
  }),

  'identity-tenancy-2-invite-needs-profile': holds(async (server) => {
    const organization = await server.newOrganization();
    const email = organization.mail('invited');
    const body = { username: email, email, given_name: 'In', family_name: 'Vited' };
    const invite = () => organization.ask('POST', '/invitations', { body });
    expect(await statusOf(invite())).toBe(400);
    const profile = await organization.ask('POST', '/email-profiles', {
      body: { name: 'Ours', from_name: 'Ours', from_address: 'ours@acme.test' },
    });
    await organization.ask('PUT', '/email-usages/user_invite', { body: { profile_id: profile.json.data.id } });
    expect(await statusOf(invite())).toBe(201);
  }),

  'identity-tenancy-3-strings-not-validated': deviates(
    '0051-known-deviations',
    'an unknown role is 400; unknown permissions of a role are kept, grant nothing and are reported',
    async (server) => {
      const organization = await server.organization();
      const { id } = await organization.member();
      const role = await organization.ask('PATCH', `/users/${id}/role`, { body: { role: 'ORG_EMPEROR' } });
      expect(role.status).toBe(400);
      const { status, json } = await organization.ask('POST', '/roles', {
        body: { name: randomUUID(), scope: 'workspace', description: '', permissions: ['moon:land'] },
      });
      expect([status, json.data.unknown_permissions]).toEqual([201, ['moon:land']]);
    },
  ),

  'identity-tenancy-4-role-deletion': deviates(
    '0015-tenancy',
    'what the role gave to teams goes with it',
    async (server) => {
      const organization = await server.organization();
      const role = await organization.ask('POST', '/roles', {
        body: { name: randomUUID(), scope: 'workspace', description: '', permissions: [] },
      });
      const team = (await organization.ask('POST', '/teams', { body: { name: randomUUID() } })).json.data.id as string;
      await organization.ask('POST', `/teams/${team}/workspaces`, {
        body: { workspace_id: organization.workspaceId, role: role.json.data.id },
      });
      expect(await statusOf(organization.ask('DELETE', `/roles/${role.json.data.id}`))).toBe(200);
      const { json } = await organization.ask('GET', '/teams?limit=100');
      expect(json.data.find((each: { id: string }) => each.id === team).workspaces).toEqual([]);
    },
  ),

  'identity-tenancy-4-user-removal': holds(async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    expect(await statusOf(organization.ask('DELETE', `/users/${id}`))).toBe(200);
    const { json } = await server.send('GET', `/api/v1/internal/platform/users/email-exists?email=${email}`, {
      headers: server.internal(),
    });
    expect(json.exists).toBe(false);
  }),

  'identity-tenancy-5-older-shapes': holds(async (server) => {
    const { headers } = await server.acmeAdmin();
    const organization = await server.organization();
    const { workspaceId } = organization;
    for (const path of ['/roles', '/roles-matrix', '/workspaces']) {
      const { status } = await server.send('GET', `/organizations/${acme}${path}`, { headers });
      expect([path, status]).toEqual([path, 200]);
    }
    for (const child of ['members', 'locations', 'channels']) {
      const path = `/organizations/${organization.id}/workspaces/${workspaceId}/${child}`;
      const answer = await server.send('GET', path, { headers: organization.admin.headers });
      expect([child, answer.status, answer.headers.has('deprecation')]).toEqual([child, 200, true]);
    }
  }, 'they answer with a Deprecation header and a link to the successor'),
};
