import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, PASSWORD } from '../../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

const organizations = '/api/v1/tenancy/organizations';
const platformId = '00000000-0000-0000-0000-000000000001';

let server: SharedServer;
let owner: Awaited<ReturnType<typeof logIn>>;
let stranger: Awaited<ReturnType<typeof logIn>>;

beforeAll(async () => {
  server = await sharedServer();
  owner = await logIn(server, 'admin@foyer.test', 'PLATFORM');
  stranger = await logIn(server, 'orgadmin@acme.test', 'ACME');
});

const wanted = (code: string, changes: object = {}) => ({
  name: `The ${code}`,
  company_code: code,
  app_ids: ['ticketing'],
  admin: { username: `boss@${code}.test`, email: `boss@${code}.test`, password: PASSWORD },
  ...changes,
});
const create = (body: object, who = owner) => send(server, 'POST', organizations, { headers: who.headers, body });
const setStatus = (id: string, status: string, who = owner) =>
  send(server, 'PUT', `${organizations}/${id}/status`, { headers: who.headers, body: { status } });
const remove = (id: string, who = owner) => send(server, 'DELETE', `${organizations}/${id}`, { headers: who.headers });
const login = (username: string, company_code: string) =>
  send(server, 'POST', '/api/v1/login', {
    headers: { 'service-platform': 'mobile' },
    body: { username, password: PASSWORD, company_code },
  });
const me = (headers: Record<string, string>) => send(server, 'GET', '/api/v1/identity/users/me', { headers });

describe('creating an organization in the cloud', () => {
  it('creates its administrator with ORG_ADMIN, a workspace named Default and its apps', async () => {
    const { status, json } = await create(wanted('cloudy', { legal_name: 'Cloudy Sdn Bhd', timezone: 'Asia/Tokyo' }));

    expect(status).toBe(201);
    expect(json).toMatchObject({
      success: true,
      data: {
        name: 'The cloudy',
        company_code: 'CLOUDY',
        hosting_type: 'cloud',
        status: 'active',
        legal_name: 'Cloudy Sdn Bhd',
        timezone: 'Asia/Tokyo',
        app_ids: ['ticketing'],
        admin: { username: 'boss@cloudy.test' },
        workspace: { name: 'Default' },
      },
    });
    expect(json.data.license_key).toBeUndefined();
    const { access_token } = await logIn(server, 'boss@cloudy.test', 'Cloudy', PASSWORD);
    const boss = await me({ authorization: `Bearer ${access_token}` });
    expect(boss.json.org).toMatchObject({
      id: json.data.id,
      slug: 'the-cloudy',
      role: 'ORG_ADMIN',
      workspaces: [{ name: 'Default', role: 'WORKSPACE_ADMIN' }],
    });
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['no company code', { company_code: '' }, 'company_code'],
    ['a company code of signs', { company_code: '!!' }, 'company_code'],
    ['no apps', { app_ids: [] }, 'app_ids'],
    ['no administrator', { admin: undefined }, 'admin'],
    [
      'an administrator without an address',
      { admin: { username: 'x', email: 'x', password: PASSWORD } },
      'admin.email',
    ],
    ['a time zone that has no end', { timezone: 'x'.repeat(101) }, 'timezone'],
    ['a website that is none', { website: 'our page' }, 'website'],
    ['a website that runs a script', { website: 'javascript:alert(1)' }, 'website'],
    ['a website that has no end', { website: `https://x.test/${'x'.repeat(500)}` }, 'website'],
  ])('is refused with %s', async (_what, changes, path) => {
    const { status, json } = await create(wanted('refused', changes));
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(JSON.stringify(json.errors)).toContain(path);
  });

  it('is refused over GraphQL by the names of its own fields', async () => {
    const admin = { username: 'x'.repeat(201), email: 'x', password: '', givenName: 'x'.repeat(201) };
    const input = { name: '', companyCode: '', appIds: [], legalName: 'x'.repeat(201), admin };
    const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { admin { id } } }';
    const { errors } = await graphql(server, create, { input: { ...input, hostingType: 'CLOUD' } }, owner.headers);
    const paths = errors[0].extensions.errors.map(({ path }: { path: string }) => path).toSorted();
    const ofAdmin = ['admin.email', 'admin.givenName', 'admin.password', 'admin.username'];
    expect(paths).toEqual([...ofAdmin, 'appIds', 'companyCode', 'legalName', 'name']);
  });

  it.each([
    ['GMT+8', 'zoned'],
    ['(UTC+08:00) Kuala Lumpur, Singapore', 'zoned-by-words'],
  ])('accepts a time zone: %s', async (timezone, code) => {
    const { status, json } = await create(wanted(code, { timezone }));
    expect([status, json.data.timezone]).toEqual([201, timezone]);
  });

  it('keeps its website', async () => {
    const { json } = await create(wanted('online', { website: 'https://online.test/visit?lang=en' }));
    expect(json.data.website).toBe('https://online.test/visit?lang=en');
  });

  it('keeps its website as people write it, without a scheme', async () => {
    const { json } = await create(wanted('plain', { website: 'www.plain.test/visit' }));
    expect(json.data.website).toBe('www.plain.test/visit');
  });

  it('is refused for an administrator with a taken address, before anything is created', async () => {
    const taken = wanted('again', { admin: { username: 'again', email: 'MEMBER@acme.test', password: PASSWORD } });
    expect(await create(taken)).toMatchObject({ status: 409, json: { code: 'EMAIL_TAKEN' } });
    expect((await create(wanted('again'))).status).toBe(201);
  });

  it('is refused with a password that the identity provider finds too simple, and leaves nothing behind', async () => {
    const simple = wanted('simple', { admin: { username: 's', email: 's@simple.test', password: 'password' } });
    expect(await create(simple)).toMatchObject({ status: 400, json: { code: 'PASSWORD_TOO_SIMPLE' } });
    expect((await create(wanted('simple'))).status).toBe(201);
  });

  it('accepts a company code once, in any case, also for two requests at the same time', async () => {
    const both = await Promise.all([
      create(wanted('twice')),
      create({ ...wanted('TWICE'), name: 'Another', admin: { ...wanted('x').admin, username: 'other@twice.test' } }),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409]);
    expect(await create(wanted('Twice', { name: 'A third' }))).toMatchObject({
      status: 409,
      json: { code: 'COMPANY_CODE_TAKEN' },
    });
  });

  it('needs apps that exist', async () => {
    expect(await create(wanted('appless', { app_ids: ['teleport'] }))).toMatchObject({
      status: 400,
      json: { code: 'UNKNOWN_APPS' },
    });
  });

  it('is for holders of org:create on the platform', async () => {
    expect((await create(wanted('foreign'), stranger)).status).toBe(403);
    expect((await send(server, 'POST', organizations, { body: wanted('foreign') })).status).toBe(401);
  });
});

describe('creating an organization on its own premises', () => {
  it('answers with a license key of so many days, and creates no administrator', async () => {
    const { status, json } = await create({
      name: 'On premises',
      company_code: 'ONPREM',
      hosting_type: 'on_prem',
      license_duration_days: 30,
      admin: { username: 'nobody', email: 'nobody@onprem.test', password: PASSWORD }, // older clients send one
    });

    expect(status).toBe(201);
    expect(json.data).toMatchObject({ hosting_type: 'on_prem', status: 'active', company_code: 'ONPREM' });
    expect(json.data.admin).toBeUndefined();
    const claims = decodeJwt(json.data.license_key as string);
    expect(claims).toMatchObject({ company_code: 'ONPREM', hosting_type: 'on_prem' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(30 * 86_400);
  });

  it('is refused without the days', async () => {
    const body = { name: 'No days', company_code: 'NODAYS', hosting_type: 'on_prem' };
    expect(await create(body)).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
  });
});

describe('the status of an organization', () => {
  it('disabled: ends every session at once, refuses refresh and login; active: allows logins again', async () => {
    const organization = await createOrganization(server);

    expect(await setStatus(organization.id, 'disabled')).toMatchObject({
      status: 200,
      json: { data: { status: 'disabled' } },
    });

    await expect.poll(async () => (await me(organization.admin.headers)).status).toBe(401);
    const refresh = await send(server, 'POST', '/api/v1/refresh', {
      body: { client_type: 'mobile', refresh_token: organization.admin.refresh_token },
    });
    expect(refresh.status).toBe(401);
    const username = `admin@${organization.companyCode.toLowerCase()}.test`;
    expect(await login(username, organization.companyCode)).toMatchObject({
      status: 403,
      json: { code: 'ORG_DISABLED' },
    });

    expect((await setStatus(organization.id, 'active')).status).toBe(200);
    expect((await login(username, organization.companyCode)).status).toBe(200);
  });

  it('is active or disabled, and changed only with org:manage', async () => {
    const { id } = await createOrganization(server);
    expect((await setStatus(id, 'pending')).status).toBe(400);
    expect((await setStatus(id, 'disabled', stranger)).status).toBe(403);
    expect((await setStatus('0a0c0000-0000-4000-8000-0000000000ff', 'disabled')).status).toBe(404);
    expect((await setStatus('nonsense', 'disabled')).status).toBe(400);
  });
});

describe('deleting an organization', () => {
  it('deletes its people, workspaces and sessions, at the identity provider too', async () => {
    const organization = await createOrganization(server);

    expect(await remove(organization.id)).toMatchObject({ status: 200, json: { data: { id: organization.id } } });

    await expect.poll(async () => (await me(organization.admin.headers)).status).toBe(401);
    expect((await remove(organization.id)).status).toBe(404);
    const username = `admin@${organization.companyCode.toLowerCase()}.test`;
    expect(await login(username, organization.companyCode)).toMatchObject({ json: { code: 'INVALID_CREDENTIALS' } });
    // The names are free again, here and there.
    const again = wanted(organization.companyCode, { name: `OrganizationFixture ${organization.companyCode}` });
    expect((await create({ ...again, admin: { ...again.admin, username, email: username } })).status).toBe(201);
  });

  it('never deletes or disables the platform organization', async () => {
    expect(await remove(platformId)).toMatchObject({ status: 409, json: { code: 'PLATFORM_ORG_PROTECTED' } });
    expect(await setStatus(platformId, 'disabled')).toMatchObject({
      status: 409,
      json: { code: 'PLATFORM_ORG_PROTECTED' },
    });
  });

  it('is refused to others', async () => {
    const { id } = await createOrganization(server);
    expect((await remove(id, stranger)).status).toBe(403);
  });
});

describe('the apps of an organization', () => {
  it('are inherited by its workspaces, which lose those that it loses', async () => {
    const organization = await createOrganization(server);
    const ofWorkspace = (app_ids: string[]) =>
      organization.ask(organization.admin, 'PUT', `/workspaces/${organization.workspaceId}/apps`, { app_ids });

    expect(await ofWorkspace(['ticketing', 'live'])).toMatchObject({ status: 409, json: { code: 'APPS_NOT_GRANTED' } });
    expect(await ofWorkspace(['ticketing'])).toMatchObject({ status: 200, json: { data: { app_ids: ['ticketing'] } } });
    expect(await organization.ask(owner, 'PUT', '/apps', { app_ids: ['live'] })).toMatchObject({ status: 200 });

    const { json } = await organization.ask(organization.admin, 'GET', '/workspaces');
    expect(json.data).toMatchObject([{ id: organization.workspaceId, app_ids: [] }]);
    expect((await organization.ask(organization.admin, 'GET', '/apps')).json.data).toMatchObject([{ id: 'live' }]);
    expect((await organization.ask(organization.admin, 'PUT', '/apps', { app_ids: ['media'] })).status).toBe(403);
  });
});

describe('the list of organizations', () => {
  it('is for the platform console, page by page', async () => {
    const { status, json } = await send(server, 'GET', `${organizations}?limit=2&page=2`, { headers: owner.headers });
    expect(status).toBe(200);
    expect(json.data).toHaveLength(2);
    expect(json.pagination).toMatchObject({ page: 2, limit: 2 });
    expect((await send(server, 'GET', organizations, { headers: stranger.headers })).status).toBe(403);
  });
});
