import { beforeAll, describe, expect, it } from 'vitest';

import {
  INTERNAL_PSK,
  createOrganization,
  PASSWORD,
  type OrganizationFixture,
  type LoggedIn,
} from '../../support/fixtures/organization.ts';
import { send, logIn } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const setRole = (organization: OrganizationFixture, who: LoggedIn, whom: LoggedIn, role: string) =>
  organization.ask(who, 'PATCH', `/users/${whom.id}/role`, { role });
const setStatus = (organization: OrganizationFixture, who: LoggedIn, whom: LoggedIn, status: string) =>
  organization.ask(who, 'PATCH', `/users/${whom.id}/status`, { status });
const remove = (organization: OrganizationFixture, who: LoggedIn, whom: LoggedIn) =>
  organization.ask(who, 'DELETE', `/users/${whom.id}`);
const me = (who: LoggedIn) => send(server, 'GET', '/api/v1/identity/users/me', { headers: who.headers });
const refresh = (who: LoggedIn) =>
  send(server, 'POST', '/api/v1/refresh', { body: { client_type: 'mobile', refresh_token: who.refresh_token } });

describe('the people of an organization', () => {
  it('are listed only for its members and the platform, page by page', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');
    const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const stranger = await logIn(server, 'orgadmin@acme.test', 'ACME');

    const { json } = await organization.ask(mei, 'GET', '/users?limit=1&page=2');

    expect(json).toMatchObject({
      success: true,
      data: [{ id: mei.id, first_name: 'mei', role: 'ORG_MEMBER', account_state: 'active' }],
      pagination: { page: 2, limit: 1, total: 2, totalPages: 2 },
    });
    expect((await organization.ask(platform, 'GET', '/users')).json.pagination.total).toBe(2);
    for (const path of ['/users', '/roles', '/roles-matrix', '/roles/ORG_ADMIN/members', '/workspaces', '/teams'])
      expect([path, (await organization.ask(stranger, 'GET', path)).status]).toEqual([path, 403]);
    expect((await organization.ask(stranger, 'GET', `/workspaces/${organization.workspaceId}/members`)).status).toBe(
      403,
    );
    expect((await organization.ask({ headers: {} }, 'GET', '/users')).status).toBe(401);
    for (const query of ['limit=0', 'limit=101', 'page=0', 'page=x'])
      expect((await organization.ask(mei, 'GET', `/users?${query}`)).status).toBe(400);
  });
});

describe('changing a role', () => {
  it('blocks the old access token; the refreshed one carries the new role', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');

    expect(await setRole(organization, organization.admin, mei, 'ORG_MANAGER')).toMatchObject({
      status: 200,
      json: { data: { id: mei.id, role: 'ORG_MANAGER' } },
    });

    await expect.poll(async () => (await me(mei)).status).toBe(401);
    const { json } = await refresh(mei);
    const fresh = { authorization: `Bearer ${json.access_token}` };
    const now = await send(server, 'GET', '/api/v1/identity/users/me', { headers: fresh });
    expect(now.json.org.role).toBe('ORG_MANAGER');
  });

  it('refuses an unknown role, one of another scope, and one of another organization', async () => {
    const [organization, other] = [await createOrganization(server), await createOrganization(server)];
    const mei = await organization.join('mei');
    const foreign = await other.ask(other.admin, 'POST', '/roles', {
      name: 'X',
      scope: 'organization',
      permissions: [],
    });
    for (const role of ['KING', 'VIEWER', 'PLATFORM_OWNER', foreign.json.data.id])
      expect(await setRole(organization, organization.admin, mei, role)).toMatchObject({
        status: 400,
        json: { code: 'UNKNOWN_ROLE' },
      });
  });

  it('is refused for oneself, and without org:users:manage, and finds nobody of another organization', async () => {
    const [organization, other] = [await createOrganization(server), await createOrganization(server)];
    const mei = await organization.join('mei');
    expect(await setRole(organization, organization.admin, organization.admin, 'ORG_OWNER')).toMatchObject({
      status: 403,
      json: { code: 'OWN_ROLE' },
    });
    expect((await setRole(organization, mei, organization.admin, 'ORG_MEMBER')).status).toBe(403);
    expect((await setRole(organization, organization.admin, other.admin, 'ORG_MEMBER')).status).toBe(404);
    expect((await setRole(organization, other.admin, mei, 'ORG_ADMIN')).status).toBe(403);
  });

  it('is limited to roles up to one’s own; an administrator names an owner only while there is none', async () => {
    const organization = await createOrganization(server);
    const [mei, raj] = [await organization.join('mei'), await organization.join('raj')];

    expect((await setRole(organization, organization.admin, mei, 'ORG_OWNER')).status).toBe(200);
    expect(await setRole(organization, organization.admin, raj, 'ORG_OWNER')).toMatchObject({
      status: 403,
      json: { code: 'ROLE_ABOVE_OWN' },
    });
    for (const tried of [
      await setRole(organization, organization.admin, mei, 'ORG_MEMBER'),
      await setStatus(organization, organization.admin, mei, 'disabled'),
      await remove(organization, organization.admin, mei),
    ])
      expect(tried).toMatchObject({ status: 403, json: { code: 'ROLE_ABOVE_OWN' } });
    expect((await setRole(organization, await organization.again('mei'), raj, 'ORG_OWNER')).status).toBe(200);
  });

  it('by a custom role grants nothing that its holder does not hold', async () => {
    const organization = await createOrganization(server);
    const [mei, raj] = [await organization.join('mei'), await organization.join('raj')];
    const role = await organization.ask(organization.admin, 'POST', '/roles', {
      name: 'People',
      scope: 'organization',
      permissions: ['org:users:manage', 'org:roles:manage'],
    });
    await setRole(organization, organization.admin, mei, role.json.data.id);
    const people = await organization.again('mei');

    expect((await setRole(organization, people, raj, 'ORG_ADMIN')).status).toBe(403);
    expect((await setRole(organization, people, raj, 'ORG_OPERATOR')).status).toBe(403);
    expect((await setRole(organization, people, raj, role.json.data.id)).status).toBe(200);
    const more = await organization.ask(people, 'PATCH', `/roles/${role.json.data.id}`, {
      permissions: ['org:users:manage', 'org:roles:manage', 'org:users:remove'],
    });
    expect(more).toMatchObject({ status: 403, json: { code: 'ROLE_ABOVE_OWN' } });
  });
});

describe('the last owner', () => {
  it('stays, and so does the last administrator where there is no owner', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');
    expect(await remove(organization, organization.admin, organization.admin)).toMatchObject({
      status: 409,
      json: { code: 'LAST_ADMINISTRATOR' },
    });
    expect((await setStatus(organization, organization.admin, organization.admin, 'disabled')).status).toBe(409);

    await setRole(organization, organization.admin, mei, 'ORG_OWNER');
    const owner = await organization.again('mei');
    expect(await remove(organization, owner, owner)).toMatchObject({ status: 409, json: { code: 'LAST_OWNER' } });
    expect((await remove(organization, owner, organization.admin)).status).toBe(200);
  });

  it('is also one beside whom all others are disabled', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');
    await setRole(organization, organization.admin, mei, 'ORG_ADMIN');
    await setStatus(organization, organization.admin, mei, 'disabled');

    expect(await remove(organization, organization.admin, organization.admin)).toMatchObject({
      status: 409,
      json: { code: 'LAST_ADMINISTRATOR' },
    });
  });

  it('of two owners who demote each other at the same time, one stays', async () => {
    const organization = await createOrganization(server);
    await setRole(organization, organization.admin, await organization.join('mei'), 'ORG_OWNER');
    const raj = await organization.join('raj');
    await setRole(organization, await organization.again('mei'), raj, 'ORG_OWNER');
    const [one, other] = [await organization.again('mei'), await organization.again('raj')];

    const tried = await Promise.all([
      setRole(organization, one, other, 'ORG_MEMBER'),
      setRole(organization, other, one, 'ORG_MEMBER'),
    ]);

    expect(tried.map(({ status }) => status).toSorted((one, two) => one - two)[0]).toBe(200);
    const { json } = await organization.ask(organization.admin, 'GET', '/roles/ORG_OWNER/members');
    expect(json.pagination.total).toBe(1);
  });
});

describe('the status of a member', () => {
  it('disabled: sessions end, refresh and login are refused; active: the same password works', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');

    expect(await setStatus(organization, organization.admin, mei, 'disabled')).toMatchObject({
      status: 200,
      json: { data: { account_state: 'disabled' } },
    });
    await expect.poll(async () => (await me(mei)).status).toBe(401);
    expect((await refresh(mei)).status).toBe(401);
    const login = await send(server, 'POST', '/api/v1/login', {
      headers: { 'service-platform': 'mobile' },
      body: {
        username: `mei@${organization.companyCode.toLowerCase()}.test`,
        password: PASSWORD,
        company_code: organization.companyCode,
      },
    });
    expect(login).toMatchObject({ status: 403, json: { code: 'ACCOUNT_DISABLED' } });

    expect((await setStatus(organization, organization.admin, mei, 'active')).status).toBe(200);
    expect((await me(await organization.again('mei'))).status).toBe(200);
    expect((await setStatus(organization, organization.admin, mei, 'pending')).status).toBe(400);
  });
});

describe('the own account', () => {
  it('is not switched off, also where another administrator remains', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');
    await setRole(organization, organization.admin, mei, 'ORG_ADMIN');

    expect(await setStatus(organization, organization.admin, organization.admin, 'disabled')).toMatchObject({
      status: 409,
      json: { code: 'OWN_ACCOUNT' },
    });
    expect((await me(organization.admin)).status).toBe(200);
  });
});

describe('removing a member', () => {
  it('ends their sessions, and deletes them at the identity provider too', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');

    expect(await remove(organization, organization.admin, mei)).toMatchObject({
      status: 200,
      json: { data: { id: mei.id } },
    });

    await expect.poll(async () => (await me(mei)).status).toBe(401);
    expect((await refresh(mei)).status).toBe(401);
    await expect(organization.again('mei')).rejects.toThrow();
    expect((await remove(organization, organization.admin, mei)).status).toBe(404);
    expect((await organization.join('mei')).id).not.toBe(mei.id); // the name is free again
  });

  it('is for holders of org:users:remove', async () => {
    const organization = await createOrganization(server);
    const mei = await organization.join('mei');
    expect((await remove(organization, mei, organization.admin)).status).toBe(403);
  });
});

describe('the last owner of the platform', () => {
  it('can be neither disabled nor removed, also when the platform organization has another administrator', async () => {
    const strict = await sharedServer('strict'); // where no test makes another owner
    const platform = '/api/v1/tenancy/organizations/00000000-0000-0000-0000-000000000001/users';
    const { headers } = await logIn(strict, 'admin@foyer.test', 'PLATFORM');
    const username = 'deputy@foyer.test';
    await send(strict, 'POST', '/api/v1/internal/orgs/00000000-0000-0000-0000-000000000001/users', {
      headers: { 'x-internal-token': INTERNAL_PSK },
      body: { username, email: username, given_name: 'De', family_name: 'Puty', password: PASSWORD },
    });
    const people = (await send(strict, 'GET', platform, { headers })).json.data as { id: string; email: string }[];
    const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? '';
    const role = { headers, body: { role: 'ORG_ADMIN' } };
    expect((await send(strict, 'PATCH', `${platform}/${idOf(username)}/role`, role)).status).toBe(200);
    const deputy = await logIn(strict, username, 'PLATFORM', PASSWORD);

    const owner = `${platform}/${idOf('admin@foyer.test')}`;
    for (const [who, code] of [
      [{ headers }, { status: 409, json: { code: 'LAST_PLATFORM_OWNER' } }],
      [deputy, { status: 403, json: { code: 'ROLE_ABOVE_OWN' } }],
    ] as const) {
      for (const tried of [
        await send(strict, 'PATCH', `${owner}/status`, { headers: who.headers, body: { status: 'disabled' } }),
        await send(strict, 'DELETE', owner, { headers: who.headers }),
      ])
        expect(tried).toMatchObject(code);
    }
    await logIn(strict, 'admin@foyer.test', 'PLATFORM');
  });
});
