import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganizations, type Organizations } from '../../support/fixtures/organizations.ts';
import { send } from '../../support/fixtures/people.ts';

let organizations: Organizations;

beforeAll(async () => {
  organizations = await createOrganizations();
});

describe('workspaces', () => {
  it('are created, changed, listed and deleted by callers with the permission', async () => {
    const { organization, mei, access } = organizations;
    const id = await access.aWorkspace();
    expect(
      await access.asAdmin('PATCH', `/workspaces/${id}`, { name: 'Renamed', description: 'For tests' }),
    ).toMatchObject({
      status: 200,
      json: { data: { id, name: 'Renamed', description: 'For tests' } },
    });
    expect((await organization.ask(mei, 'GET', '/workspaces?limit=1')).json.pagination.limit).toBe(1);
    expect((await organization.ask(mei, 'POST', '/workspaces', { name: 'No' })).status).toBe(403);
    expect((await organization.ask(mei, 'DELETE', `/workspaces/${id}`)).status).toBe(403);
    expect((await access.asAdmin('DELETE', `/workspaces/${id}`)).status).toBe(200);
    expect((await access.asAdmin('DELETE', `/workspaces/${id}`)).status).toBe(404);
    expect((await access.asAdmin('POST', '/workspaces', { name: ' ' })).status).toBe(400);
  });

  it('are managed by their own administrators, too, who grant nothing that they do not hold', async () => {
    const { organization, mei, raj, access } = organizations;
    const id = await access.aWorkspace();
    await access.directly(id, mei, 'WORKSPACE_ADMIN');
    const byMei = (role: string) =>
      organization.ask(mei, 'POST', `/workspaces/${id}/members`, { user_id: raj.id, role });
    expect((await byMei('VIEWER')).status).toBe(201);
    expect((await organization.ask(mei, 'PATCH', `/workspaces/${id}`, { name: 'Mine' })).status).toBe(200);
    expect((await organization.ask(raj, 'PATCH', `/workspaces/${id}`, { name: 'Mine' })).status).toBe(403);

    const custom = await access.made('/roles', {
      name: 'Ticket checker',
      scope: 'workspace',
      permissions: ['workspace:members:manage'],
    });
    await access.asAdmin('PATCH', `/workspaces/${id}/members/${raj.id}`, { role: custom });
    const byRaj = await organization.ask(raj, 'POST', `/workspaces/${id}/members`, {
      user_id: organization.admin.id,
      role: 'WORKSPACE_ADMIN',
    });
    expect(byRaj).toMatchObject({ status: 403, json: { code: 'ROLE_ABOVE_OWN' } });
    expect((await organization.ask(raj, 'DELETE', `/workspaces/${id}/members/${mei.id}`)).status).toBe(403);
  });

  it('are listed completely for older clients, which know no pages', async () => {
    const { access } = organizations;
    for (let made = 0; made < 21; made += 1) await access.aWorkspace();
    const whole = (await access.asAdmin('GET', '/workspaces')).json;
    expect(whole.data.length).toBeGreaterThan(20);
    expect(whole.data).toHaveLength(whole.pagination.total);
    expect((await access.asAdmin('GET', '/workspaces?page=1')).json.data).toHaveLength(20);
  });

  it('have direct members, whose role holds from the next request on', async () => {
    const { mei, access } = organizations;
    const id = await access.aWorkspace();
    expect(await access.directly(id, mei)).toMatchObject({
      status: 201,
      json: { data: { id: mei.id, role: 'VIEWER' } },
    });
    expect(await access.rightsIn(mei, id)).not.toContain('media:upload');

    await access.asAdmin('PATCH', `/workspaces/${id}/members/${mei.id}`, { role: 'WORKSPACE_MEMBER' });
    expect(await access.rightsIn(mei, id)).toContain('media:upload'); // with the same token

    expect((await access.asAdmin('DELETE', `/workspaces/${id}/members/${mei.id}`)).status).toBe(200);
    expect(await access.rightsIn(mei, id)).toEqual([]);
    expect((await access.asAdmin('DELETE', `/workspaces/${id}/members/${mei.id}`)).status).toBe(404);
  });

  it('take a person once, a known role, and members of the organization only', async () => {
    const { other, mei, raj, access } = organizations;
    const id = await access.aWorkspace();
    await access.directly(id, mei);
    expect(await access.directly(id, mei)).toMatchObject({ status: 409, json: { code: 'ALREADY_MEMBER' } });
    expect(await access.directly(id, raj, 'ORG_ADMIN')).toMatchObject({ status: 400, json: { code: 'UNKNOWN_ROLE' } });
    expect(await access.directly(id, other.admin)).toMatchObject({ status: 404, json: { code: 'USER_NOT_FOUND' } });
  });
});

describe('ids of another organization', () => {
  it('are not found by any call (deviation 2)', async () => {
    const { other, mei, access } = organizations;
    const foreign = {
      workspace: other.workspaceId,
      team: (await other.ask(other.admin, 'POST', '/teams', { name: 'Theirs' })).json.data.id as string,
      role: (await other.ask(other.admin, 'POST', '/roles', { name: 'Theirs', scope: 'workspace', permissions: [] }))
        .json.data.id as string,
    };
    const [workspace, team] = [await access.aWorkspace(), await access.aTeam()];
    const member = { user_id: mei.id, role: 'VIEWER' };
    const tried: [string, string, unknown?][] = [
      ['PATCH', `/workspaces/${foreign.workspace}`, { name: 'Mine' }],
      ['DELETE', `/workspaces/${foreign.workspace}`],
      ['GET', `/workspaces/${foreign.workspace}/members`],
      ['POST', `/workspaces/${foreign.workspace}/members`, member],
      ['PUT', `/workspaces/${foreign.workspace}/apps`, { app_ids: [] }],
      ['PATCH', `/teams/${foreign.team}`, { name: 'Mine' }],
      ['DELETE', `/teams/${foreign.team}`],
      ['GET', `/teams/${foreign.team}/members`],
      ['POST', `/teams/${foreign.team}/members`, member],
      ['PATCH', `/teams/${foreign.team}/members/${mei.id}`, member],
      ['DELETE', `/teams/${foreign.team}/members/${mei.id}`],
      ['POST', `/teams/${foreign.team}/workspaces`, { workspace_id: workspace, role: 'VIEWER' }],
      ['DELETE', `/teams/${foreign.team}/workspaces/${workspace}`],
      ['POST', `/teams/${team}/workspaces`, { workspace_id: foreign.workspace, role: 'VIEWER' }],
      ['POST', `/teams/${team}/members`, { user_id: other.admin.id }],
      ['PATCH', `/roles/${foreign.role}`, { name: 'Mine' }],
      ['DELETE', `/roles/${foreign.role}`],
      ['GET', `/roles/${foreign.role}/members`],
    ];
    for (const [method, path, body] of tried)
      expect([method, path, (await access.asAdmin(method, path, body)).status]).toEqual([method, path, 404]);
    expect((await access.directly(workspace, mei, foreign.role)).status).toBe(400);
  });
});

describe('teams', () => {
  it('give their members a role in a workspace, at once, and take it away again', async () => {
    const { mei, access } = organizations;
    const [workspace, team] = [await access.aWorkspace(), await access.aTeam()];
    expect(await access.grant(team, workspace)).toMatchObject({
      status: 201,
      json: { data: { workspace_id: workspace, role: 'VIEWER' } },
    });
    expect((await access.intoTeam(team, mei)).status).toBe(201);
    expect(await access.rightsIn(mei, workspace)).toContain('catalogue:manage'); // a viewer is not read-only

    await access.asAdmin('PATCH', `/teams/${team}/workspaces/${workspace}`, { role: 'WORKSPACE_ADMIN' });
    expect(await access.rightsIn(mei, workspace)).toContain('workspace:manage');
    expect((await access.asAdmin('GET', '/teams')).json.data).toContainEqual(
      expect.objectContaining({
        id: team,
        workspaces: [{ workspace_id: workspace, workspace_name: 'A place', role: 'WORKSPACE_ADMIN' }],
      }),
    );

    expect((await access.asAdmin('DELETE', `/teams/${team}/workspaces/${workspace}`)).status).toBe(200);
    expect(await access.rightsIn(mei, workspace)).toEqual([]);
    expect((await access.asAdmin('DELETE', `/teams/${team}/workspaces/${workspace}`)).status).toBe(404);
  });

  it('accept people and workspaces in the body as well', async () => {
    const { mei, access } = organizations;
    const [team, workspace] = [await access.aTeam(), await access.aWorkspace()];
    await access.intoTeam(team, mei);
    await access.asAdmin('POST', `/teams/${team}/workspaces`, { workspace_id: workspace, role: 'VIEWER' });
    for (const [path, named, role] of [
      [`/teams/${team}/members`, { user_id: mei.id }, 'lead'],
      [`/teams/${team}/workspaces`, { workspace_id: workspace }, 'WORKSPACE_MEMBER'],
    ] as const) {
      expect((await access.asAdmin('PATCH', path, { ...named, role })).json.data).toMatchObject({ role });
      expect((await access.asAdmin('PATCH', path, { role })).status).toBe(400);
      expect((await access.asAdmin('DELETE', path)).status).toBe(400);
      expect((await access.asAdmin('DELETE', path, named)).json.data).toEqual(named);
      expect((await access.asAdmin('DELETE', path, named)).status).toBe(404);
    }
    const members = `/workspaces/${workspace}/members`;
    await access.directly(workspace, mei);
    const changed = await access.asAdmin('PATCH', members, { user_id: mei.id, role: 'WORKSPACE_MEMBER' });
    expect(changed.json.data).toMatchObject({ id: mei.id, role: 'WORKSPACE_MEMBER' });
    expect((await access.asAdmin('DELETE', members, { user_id: mei.id })).status).toBe(200);
    expect((await access.asAdmin('DELETE', members, { user_id: mei.id })).status).toBe(404);
  });

  it('gain and lose people; membership in a team grants nothing by itself', async () => {
    const { organization, mei, access } = organizations;
    const team = await access.aTeam();
    await access.intoTeam(team, mei);
    expect(await access.intoTeam(team, mei)).toMatchObject({ status: 409, json: { code: 'ALREADY_IN_TEAM' } });
    expect(await access.asAdmin('PATCH', `/teams/${team}/members/${mei.id}`, { role: 'lead' })).toMatchObject({
      json: { data: { id: mei.id, role: 'lead' } },
    });
    expect((await organization.ask(mei, 'GET', `/teams/${team}/members`)).json.data).toMatchObject([{ id: mei.id }]);
    expect((await organization.ask(mei, 'PATCH', `/teams/${team}`, { name: 'Mine' })).status).toBe(403);
    expect((await access.asAdmin('DELETE', `/teams/${team}/members/${mei.id}`)).status).toBe(200);
    expect((await access.asAdmin('DELETE', `/teams/${team}/members/${mei.id}`)).status).toBe(404);
    expect((await access.asAdmin('DELETE', `/teams/${team}`)).status).toBe(200);
    expect((await access.asAdmin('DELETE', `/teams/${team}`)).status).toBe(404);
  });
});

describe('direct and team access to one workspace', () => {
  const refused = { status: 409, json: { code: 'DOUBLE_ACCESS' } };

  it('exclude each other, whichever comes second', async () => {
    const { mei, raj, access } = organizations;
    const [workspace, team] = [await access.aWorkspace(), await access.aTeam()];
    await access.grant(team, workspace);
    await access.intoTeam(team, mei);
    expect(await access.directly(workspace, mei)).toMatchObject(refused);

    await access.directly(workspace, raj);
    expect(await access.intoTeam(team, raj)).toMatchObject(refused);

    const second = await access.aTeam();
    await access.intoTeam(second, raj);
    expect(await access.grant(second, workspace)).toMatchObject(refused);
  });

  it('exclude each other also when all three ways are used at the same time', async () => {
    const { mei, access } = organizations;
    for (let round = 0; round < 8; round++) {
      const [workspace, team] = [await access.aWorkspace(), await access.aTeam()];
      const tried = await Promise.all([
        access.directly(workspace, mei),
        access.intoTeam(team, mei),
        access.grant(team, workspace),
      ]);
      // Any two of the three are allowed together, all three are not.
      expect(tried.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 201, 409]);
    }
  });
});

describe('the superseded shapes', () => {
  it('still answer, with a Deprecation header and a Link to the successor', async () => {
    const { server, organization, other } = organizations;
    const { headers } = organization.admin;
    const tenancy = `/api/v1/tenancy/organizations/${organization.id}`;
    const shapes: [string, string][] = [
      ['/roles', `${tenancy}/roles`],
      ['/roles-matrix', `${tenancy}/roles-matrix`],
      ['/workspaces', `${tenancy}/workspaces`],
      [`/workspaces/${organization.workspaceId}/members`, `${tenancy}/workspaces/${organization.workspaceId}/members`],
      [`/workspaces/${organization.workspaceId}/locations`, `${tenancy}/workspaces`],
      [`/workspaces/${organization.workspaceId}/channels`, `/channels?workspaceId=${organization.workspaceId}`],
    ];
    for (const prefix of [
      `/organizations/${organization.id}`,
      `/api/v1/organizations/${organization.id}`,
      '',
      '/api/v1',
    ]) {
      for (const [path, successor] of shapes) {
        const answer = await send(server, 'GET', `${prefix}${path}`, { headers });
        expect([prefix, path, answer.status]).toEqual([prefix, path, 200]);
        expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
        expect(answer.headers.get('link')).toBe(`<${successor}>; rel="successor-version"`);
      }
    }
    expect((await send(server, 'GET', `/organizations/${other.id}/roles`, { headers })).status).toBe(403);
    expect((await send(server, 'GET', `/organizations/${organization.id}/roles`)).status).toBe(401);
    const foreign = await send(server, 'GET', `/workspaces/${other.workspaceId}/members`, { headers });
    expect(foreign.status).toBe(404);
  });
});
