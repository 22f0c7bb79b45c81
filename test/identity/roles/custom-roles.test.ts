import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganizations, type Organizations } from '../../support/fixtures/organizations.ts';

let organizations: Organizations;

beforeAll(async () => {
  organizations = await createOrganizations();
});

describe('custom roles', () => {
  it('keep unknown permissions, which grant nothing, and report them', async () => {
    const { mei, access } = organizations;
    const { status, json } = await access.asAdmin('POST', '/roles', {
      name: 'Curator',
      scope: 'workspace',
      description: 'Films only',
      permissions: ['media:upload', 'teleport:all', 'org:users:invite', 'media:upload'],
    });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      name: 'Curator',
      scope: 'workspace',
      is_system: false,
      permissions: ['media:upload', 'org:users:invite', 'teleport:all'],
      unknown_permissions: ['org:users:invite', 'teleport:all'],
    });
    const workspace = await access.aWorkspace();
    await access.directly(workspace, mei, json.data.id);
    expect(await access.rightsIn(mei, workspace)).toEqual(['media:upload']);
  });

  it('are given by their id in capitals, too', async () => {
    const { mei, access } = organizations;
    const role = await access.made('/roles', { name: 'Guide', scope: 'workspace', permissions: ['media:view'] });
    const workspace = await access.aWorkspace();
    const given = { user_id: mei.id, role: role.toUpperCase() };
    const { status, json } = await access.asAdmin('POST', `/workspaces/${workspace}/members`, given);
    expect([status, json.data?.role]).toEqual([201, role]);
    expect(await access.rightsIn(mei, workspace)).toEqual(['media:view']);
  });

  it('have a name of their own, and a scope that is not the platform', async () => {
    const { organization, mei, access } = organizations;
    const role = { name: 'Only one', scope: 'organization', permissions: [] };
    const both = await Promise.all([access.asAdmin('POST', '/roles', role), access.asAdmin('POST', '/roles', role)]);
    expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409]);
    expect((await access.asAdmin('POST', '/roles', { ...role, scope: 'platform' })).status).toBe(400);
    const second = await access.made('/roles', { ...role, name: 'Another' });
    expect((await access.asAdmin('PATCH', `/roles/${second}`, { name: 'Only one' })).status).toBe(409);
    expect((await organization.ask(mei, 'POST', '/roles', { ...role, name: 'Mine' })).status).toBe(403);
  });

  it.each([
    ['left out', {}],
    ['null', { permissions: null }],
  ])('grant nothing when their permissions are %s', async (what, given) => {
    const { access } = organizations;
    const { status, json } = await access.asAdmin('POST', '/roles', {
      name: `By ${what}`,
      scope: 'workspace',
      ...given,
    });
    expect([status, json.data.permissions]).toEqual([201, []]);
  });

  it('change for everybody who has them, at once in a workspace', async () => {
    const { mei, access } = organizations;
    const workspace = await access.aWorkspace();
    const role = await access.made('/roles', { name: 'Changing', scope: 'workspace', permissions: ['media:view'] });
    await access.directly(workspace, mei, role);
    await access.asAdmin('PATCH', `/roles/${role}`, { permissions: ['media:view', 'orders:view'] });
    expect(await access.rightsIn(mei, workspace)).toEqual(['media:view', 'orders:view']);
  });

  it('take their workspace grants along when deleted; a role that a person has can not be deleted', async () => {
    const { mei, raj, access } = organizations;
    const [workspace, team] = [await access.aWorkspace(), await access.aTeam()];
    const role = await access.made('/roles', { name: 'Passing', scope: 'workspace', permissions: ['media:view'] });
    await access.intoTeam(team, raj);
    await access.grant(team, workspace, role);
    expect(await access.rightsIn(raj, workspace)).toEqual(['media:view']);

    await access.directly(await access.aWorkspace(), mei, role);
    expect(await access.asAdmin('DELETE', `/roles/${role}`)).toMatchObject({
      status: 409,
      json: { code: 'ROLE_IN_USE' },
    });
    const { json } = await access.asAdmin('GET', `/roles/${role}/members`);
    expect(json.data).toMatchObject([{ id: mei.id, workspace_name: 'A place' }]);
    await access.asAdmin('DELETE', `/workspaces/${json.data[0].workspace_id}/members/${mei.id}`);

    expect((await access.asAdmin('DELETE', `/roles/${role}`)).status).toBe(200);
    expect(await access.rightsIn(raj, workspace)).toEqual([]);
    expect(
      (await access.asAdmin('POST', `/workspaces/${workspace}/members`, { user_id: raj.id, role: 'VIEWER' })).status,
    ).toBe(201);
  });

  it('are changed and deleted only by who holds what they grant', async () => {
    const { organization, access } = organizations;
    const scope = 'organization';
    const narrow = await access.made('/roles', { name: 'Roles', scope, permissions: ['org:roles:manage'] });
    const permissions = ['org:roles:manage', 'org:users:remove'];
    const wider = await access.made('/roles', { name: 'Wider', scope, permissions });
    const { id } = await organization.join('siti');
    await access.asAdmin('PATCH', `/users/${id}/role`, { role: narrow });
    const siti = await organization.again('siti');

    for (const [method, body] of [
      ['PATCH', { permissions: [] }],
      ['PATCH', { name: 'Narrower' }],
      ['DELETE', undefined],
    ] as const)
      expect(await organization.ask(siti, method, `/roles/${wider}`, body)).toMatchObject({
        status: 403,
        json: { code: 'ROLE_ABOVE_OWN' },
      });
    expect((await organization.ask(siti, 'DELETE', `/roles/${narrow}`)).json.code).toBe('ROLE_IN_USE');
  });

  it('can be changed, unlike seeded ones', async () => {
    const { access } = organizations;
    for (const [method, body] of [
      ['PATCH', { name: 'King' }],
      ['DELETE', undefined],
    ] as const)
      expect(await access.asAdmin(method, '/roles/ORG_ADMIN', body)).toMatchObject({
        status: 403,
        json: { code: 'SYSTEM_ROLE' },
      });
  });

  it('are in the list and the matrix beside the eight seeded ones that an organization may assign', async () => {
    const { other } = organizations;
    const { json } = await other.ask(other.admin, 'GET', '/roles-matrix');
    const roles = json.data.roles as { id: string; is_system: boolean; permissions: string[] }[];
    expect(roles.filter(({ is_system }) => is_system)).toHaveLength(8);
    expect(roles.find(({ id }) => id === 'ORG_ADMIN')?.permissions).toHaveLength(23);
    expect(json.data.permissions.organization).toHaveLength(25);
    expect(json.data.permissions.workspace).toHaveLength(33);
    const list = await other.ask(other.admin, 'GET', '/roles?limit=3');
    expect(list.json.data).toHaveLength(3);
    expect(list.json.pagination.total).toBe(roles.length);
    const admins = await other.ask(other.admin, 'GET', '/roles/ORG_ADMIN/members');
    expect(admins.json.data).toMatchObject([{ id: other.admin.id }]);
  });
});
