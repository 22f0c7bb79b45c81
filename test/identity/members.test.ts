import { beforeAll, describe, expect, it } from 'vitest';

import { INTERNAL_PSK, openOffice, PASSWORD, type Office, type SignedIn } from '../support/office.ts';
import { send, signIn } from '../support/people.ts';
import { sharedServer, type SharedServer } from '../support/shared-server.ts';

/** A revocation is seen by every replica within five seconds (decisions: 12). */
const WITHIN = { timeout: 5_000, interval: 100 };

let house: SharedServer;

beforeAll(async () => {
  house = await sharedServer();
});

const setRole = (office: Office, who: SignedIn, whom: SignedIn, role: string) =>
  office.ask(who, 'PATCH', `/users/${whom.id}/role`, { role });
const setStatus = (office: Office, who: SignedIn, whom: SignedIn, status: string) =>
  office.ask(who, 'PATCH', `/users/${whom.id}/status`, { status });
const remove = (office: Office, who: SignedIn, whom: SignedIn) => office.ask(who, 'DELETE', `/users/${whom.id}`);
const me = (who: SignedIn) => send(house, 'GET', '/api/v1/identity/users/me', { headers: who.headers });
const refresh = (who: SignedIn) =>
  send(house, 'POST', '/api/v1/refresh', { body: { client_type: 'mobile', refresh_token: who.refresh_token } });

describe('the people of an organization', () => {
  it('are listed for its members and the platform, page by page, and for nobody else', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');
    const platform = await signIn(house, 'admin@foyer.test', 'PLATFORM');
    const stranger = await signIn(house, 'orgadmin@acme.test', 'ACME');

    const { json } = await office.ask(mei, 'GET', '/users?limit=1&page=2');

    expect(json).toMatchObject({
      success: true,
      data: [{ id: mei.id, first_name: 'mei', role: 'ORG_MEMBER', account_state: 'active' }],
      pagination: { page: 2, limit: 1, total: 2, totalPages: 2 },
    });
    expect((await office.ask(platform, 'GET', '/users')).json.pagination.total).toBe(2);
    for (const path of ['/users', '/roles', '/roles-matrix', '/roles/ORG_ADMIN/members', '/workspaces', '/teams'])
      expect([path, (await office.ask(stranger, 'GET', path)).status]).toEqual([path, 403]);
    expect((await office.ask(stranger, 'GET', `/workspaces/${office.workspaceId}/members`)).status).toBe(403);
    expect((await office.ask({ headers: {} }, 'GET', '/users')).status).toBe(401);
    for (const query of ['limit=0', 'limit=101', 'page=0', 'page=x'])
      expect((await office.ask(mei, 'GET', `/users?${query}`)).status).toBe(400);
  });
});

describe('changing a role', () => {
  it('blocks the old access token; the refreshed one carries the new role', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');

    expect(await setRole(office, office.admin, mei, 'ORG_MANAGER')).toMatchObject({
      status: 200,
      json: { data: { id: mei.id, role: 'ORG_MANAGER' } },
    });

    await expect.poll(async () => (await me(mei)).status, WITHIN).toBe(401);
    const { json } = await refresh(mei);
    const fresh = { authorization: `Bearer ${json.access_token}` };
    const now = await send(house, 'GET', '/api/v1/identity/users/me', { headers: fresh });
    expect(now.json.org.role).toBe('ORG_MANAGER');
  });

  it('refuses an unknown role, one of another scope, and one of another organization', async () => {
    const [office, other] = [await openOffice(house), await openOffice(house)];
    const mei = await office.join('mei');
    const foreign = await other.ask(other.admin, 'POST', '/roles', {
      name: 'X',
      scope: 'organization',
      permissions: [],
    });
    for (const role of ['KING', 'VIEWER', 'PLATFORM_OWNER', foreign.json.data.id])
      expect(await setRole(office, office.admin, mei, role)).toMatchObject({
        status: 400,
        json: { code: 'UNKNOWN_ROLE' },
      });
  });

  it('is not for oneself, not for others without org:users:manage, and finds nobody of another organization', async () => {
    const [office, other] = [await openOffice(house), await openOffice(house)];
    const mei = await office.join('mei');
    expect(await setRole(office, office.admin, office.admin, 'ORG_OWNER')).toMatchObject({
      status: 403,
      json: { code: 'OWN_ROLE' },
    });
    expect((await setRole(office, mei, office.admin, 'ORG_MEMBER')).status).toBe(403);
    expect((await setRole(office, office.admin, other.admin, 'ORG_MEMBER')).status).toBe(404);
    expect((await setRole(office, other.admin, mei, 'ORG_ADMIN')).status).toBe(403);
  });

  it('nobody deals in roles above their own; an administrator names an owner only while there is none', async () => {
    const office = await openOffice(house);
    const [mei, raj] = [await office.join('mei'), await office.join('raj')];

    expect((await setRole(office, office.admin, mei, 'ORG_OWNER')).status).toBe(200);
    expect(await setRole(office, office.admin, raj, 'ORG_OWNER')).toMatchObject({
      status: 403,
      json: { code: 'ROLE_ABOVE_OWN' },
    });
    for (const tried of [
      await setRole(office, office.admin, mei, 'ORG_MEMBER'),
      await setStatus(office, office.admin, mei, 'disabled'),
      await remove(office, office.admin, mei),
    ])
      expect(tried).toMatchObject({ status: 403, json: { code: 'ROLE_ABOVE_OWN' } });
    expect((await setRole(office, await office.again('mei'), raj, 'ORG_OWNER')).status).toBe(200);
  });

  it('whoever manages people by a custom role gives nothing that they do not hold', async () => {
    const office = await openOffice(house);
    const [mei, raj] = [await office.join('mei'), await office.join('raj')];
    const role = await office.ask(office.admin, 'POST', '/roles', {
      name: 'People',
      scope: 'organization',
      permissions: ['org:users:manage', 'org:roles:manage'],
    });
    await setRole(office, office.admin, mei, role.json.data.id);
    const people = await office.again('mei');

    expect((await setRole(office, people, raj, 'ORG_ADMIN')).status).toBe(403);
    expect((await setRole(office, people, raj, 'ORG_OPERATOR')).status).toBe(403);
    expect((await setRole(office, people, raj, role.json.data.id)).status).toBe(200);
    const more = await office.ask(people, 'PATCH', `/roles/${role.json.data.id}`, {
      permissions: ['org:users:manage', 'org:roles:manage', 'org:users:remove'],
    });
    expect(more).toMatchObject({ status: 403, json: { code: 'ROLE_ABOVE_OWN' } });
  });
});

describe('the last owner', () => {
  it('stays, and so does the last administrator where there is no owner', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');
    expect(await remove(office, office.admin, office.admin)).toMatchObject({
      status: 409,
      json: { code: 'LAST_ADMINISTRATOR' },
    });
    expect((await setStatus(office, office.admin, office.admin, 'disabled')).status).toBe(409);

    await setRole(office, office.admin, mei, 'ORG_OWNER');
    const owner = await office.again('mei');
    expect(await remove(office, owner, owner)).toMatchObject({ status: 409, json: { code: 'LAST_OWNER' } });
    expect((await remove(office, owner, office.admin)).status).toBe(200);
  });

  it('of two owners who demote each other at the same time, one stays', async () => {
    const office = await openOffice(house);
    await setRole(office, office.admin, await office.join('mei'), 'ORG_OWNER');
    const raj = await office.join('raj');
    await setRole(office, await office.again('mei'), raj, 'ORG_OWNER');
    const [one, other] = [await office.again('mei'), await office.again('raj')];

    const tried = await Promise.all([
      setRole(office, one, other, 'ORG_MEMBER'),
      setRole(office, other, one, 'ORG_MEMBER'),
    ]);

    expect(tried.map(({ status }) => status).toSorted((one, two) => one - two)[0]).toBe(200);
    const { json } = await office.ask(office.admin, 'GET', '/roles/ORG_OWNER/members');
    expect(json.pagination.total).toBe(1);
  });
});

describe('the status of a member', () => {
  it('disabled: sessions end, refresh and login are refused; active: the same password works', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');

    expect(await setStatus(office, office.admin, mei, 'disabled')).toMatchObject({
      status: 200,
      json: { data: { account_state: 'disabled' } },
    });
    await expect.poll(async () => (await me(mei)).status, WITHIN).toBe(401);
    expect((await refresh(mei)).status).toBe(401);
    const login = await send(house, 'POST', '/api/v1/login', {
      headers: { 'service-platform': 'mobile' },
      body: {
        username: `mei@${office.companyCode.toLowerCase()}.test`,
        password: PASSWORD,
        company_code: office.companyCode,
      },
    });
    expect(login).toMatchObject({ status: 403, json: { code: 'ACCOUNT_DISABLED' } });

    expect((await setStatus(office, office.admin, mei, 'active')).status).toBe(200);
    expect((await me(await office.again('mei'))).status).toBe(200);
    expect((await setStatus(office, office.admin, mei, 'pending')).status).toBe(400);
  });
});

describe('removing a member', () => {
  it('ends their sessions, and deletes them at the identity provider too', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');

    expect(await remove(office, office.admin, mei)).toMatchObject({ status: 200, json: { data: { id: mei.id } } });

    await expect.poll(async () => (await me(mei)).status, WITHIN).toBe(401);
    expect((await refresh(mei)).status).toBe(401);
    await expect(office.again('mei')).rejects.toThrow();
    expect((await remove(office, office.admin, mei)).status).toBe(404);
    expect((await office.join('mei')).id).not.toBe(mei.id); // the name is free again
  });

  it('is for holders of org:users:remove', async () => {
    const office = await openOffice(house);
    const mei = await office.join('mei');
    expect((await remove(office, mei, office.admin)).status).toBe(403);
  });
});

describe('the last owner of the platform', () => {
  it('is neither switched off nor removed, also where the platform organization has another administrator', async () => {
    const strict = await sharedServer('strict'); // where no test makes another owner
    const platform = '/api/v1/tenancy/organizations/00000000-0000-0000-0000-000000000001/users';
    const { headers } = await signIn(strict, 'admin@foyer.test', 'PLATFORM');
    const username = 'deputy@foyer.test';
    await send(strict, 'POST', '/api/v1/internal/orgs/00000000-0000-0000-0000-000000000001/users', {
      headers: { 'x-internal-token': INTERNAL_PSK },
      body: { username, email: username, given_name: 'De', family_name: 'Puty', password: PASSWORD },
    });
    const people = (await send(strict, 'GET', platform, { headers })).json.data as { id: string; email: string }[];
    const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? '';
    const role = { headers, body: { role: 'ORG_ADMIN' } };
    expect((await send(strict, 'PATCH', `${platform}/${idOf(username)}/role`, role)).status).toBe(200);
    const deputy = await signIn(strict, username, 'PLATFORM', PASSWORD);

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
    await signIn(strict, 'admin@foyer.test', 'PLATFORM');
  });
});
