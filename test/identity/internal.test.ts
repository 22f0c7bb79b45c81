import { randomUUID } from 'node:crypto';

import { routes } from '@foyer/rest-compat/routes';
import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { DEMO_PASSWORD, send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { INTERNAL_PSK as SECRET, INTERNAL_PSK_PREVIOUS as PREVIOUS } from '../support/servers/shared-settings.ts';

const PLATFORM = '00000000-0000-0000-0000-000000000001';
const NOBODY = '0a0c0000-0000-4000-8000-00000000ffff';
const base = '/api/v1/internal';

let server: SharedServer;
let fixture: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer('strict'); // which has rate limits
  fixture = await createOrganization(server);
});

/** As a service that knows the secret. */
const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  send(server, method, `${base}${path}`, { headers: { 'x-internal-token': SECRET, ...headers }, body });

const internalRoutes = routes.filter(({ url }) => url.startsWith(base));
const filledIn = (url: string) => url.slice(base.length).replaceAll(/:\w+/g, NOBODY);

const emailOf = (name: string) => `${name}@${fixture.companyCode.toLowerCase()}.test`;

describe('the token between services', () => {
  it('is required by every internal route, whatever the body', async () => {
    expect(internalRoutes.length).toBeGreaterThanOrEqual(21);
    for (const { method, url } of internalRoutes) {
      for (const token of [undefined, '', 'wrong', `${SECRET}x`, SECRET.slice(1), `${SECRET}, ${SECRET}`]) {
        const answer = await send(server, String(method), `${base}${filledIn(url)}`, {
          headers: token === undefined ? {} : { 'x-internal-token': token },
        });
        expect([url, answer.status, answer.json.code]).toEqual([url, 401, 'INTERNAL_TOKEN_INVALID']);
      }
    }
  });

  it('is checked before the body is read', async () => {
    const response = await fetch(`${server.url}${base}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ not json',
    });
    expect(response.status).toBe(401);
  });

  it.each([SECRET, PREVIOUS])('may be either of two secrets, so that one can change: %s', async (secret) => {
    const answer = await call('GET', '/health', undefined, { 'x-internal-token': secret });
    expect(answer).toMatchObject({ status: 200, json: { success: true, status: 'ok', licensed: true } });
  });

  it.each([{ origin: 'http://localhost' }, { 'sec-fetch-site': 'same-origin' }])(
    'opens nothing to a page in a browser: %o',
    async (headers) => {
      for (const { method, url } of internalRoutes) {
        const answer = await call(String(method), filledIn(url), undefined, headers);
        const refused = ['BROWSER_REFUSED', 'FOREIGN_ORIGIN']; // unsafe requests are refused earlier
        expect([url, answer.status, refused.includes(answer.json.code)]).toEqual([url, 403, true]);
      }
    },
  );

  it('can not be replaced by the access token of an administrator, and opens no other route', async () => {
    const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    expect((await send(server, 'GET', `${base}/health`, { headers })).status).toBe(401);

    const me = await send(server, 'GET', '/api/v1/identity/users/me', { headers: { 'x-internal-token': SECRET } });
    expect(me.status).toBe(401);
    const graphql = await send(server, 'POST', '/graphql', {
      headers: { 'x-internal-token': SECRET, ...headers },
      body: { query: `{ emailExists(email: "admin@foyer.test") }` },
    });
    expect(graphql.json.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('the internal routes of the auth service', () => {
  it('answer 501 for the eleven stubs', async () => {
    const answers = await Promise.all(
      internalRoutes
        .filter(({ method }) => method !== 'POST' && method !== 'DELETE')
        .map(async ({ method, url }) => (await call(String(method), filledIn(url))).status),
    );
    expect(answers.filter((status) => status === 501)).toHaveLength(11);
  });

  it('list the users of the platform, the first of them the administrator', async () => {
    const { json } = await call('GET', '/platform/users');
    expect(json.data[0]).toMatchObject({ username: 'admin@foyer.test', org_id: PLATFORM, account_state: 'active' });
    expect(json.pagination).toEqual({ page: 1, limit: 20, total: json.data.length, totalPages: 1 });
  });

  it('tell whether an address is known, here or at the provider, in any case', async () => {
    const exists = async (email: string) =>
      (await call('GET', `/platform/users/email-exists?email=${encodeURIComponent(email)}`)).json.exists;
    expect(await exists('ADMIN@foyer.test')).toBe(true);
    expect(await exists('_dmin@foyer.test')).toBe(false);
    expect(await exists('nobody@foyer.test')).toBe(false);
    expect((await call('GET', '/platform/users/email-exists?email=nonsense')).status).toBe(400);
  });

  it('find an organization and its people, page by page', async () => {
    const { id, companyCode } = fixture;
    for (const name of ['mei', 'raj']) await fixture.join(name);
    const { json } = await call('GET', `/orgs/${id}`);
    expect(json.organization).toMatchObject({
      id,
      company_code: companyCode,
      status: 'active',
      hosting_type: 'cloud',
    });

    const [first, second] = await Promise.all(
      [1, 2].map(async (page) => (await call('GET', `/orgs/${id}/users?limit=2&page=${page}`)).json),
    );
    expect([first.data.length, second.data.length]).toEqual([2, 1]);
    expect(first.pagination).toMatchObject({ total: first.data.length + second.data.length });
    expect(new Set([...first.data, ...second.data].map((user) => user.id)).size).toBe(first.pagination.total);
  });

  it.each([
    ['GET', `/orgs/${NOBODY}`, 404],
    ['GET', `/orgs/${NOBODY}/users`, 404],
    ['GET', '/orgs/nonsense', 400],
    ['GET', `/orgs/${PLATFORM}/users?limit=1000`, 400],
    ['GET', `/users/${NOBODY}/roles`, 404],
    ['POST', '/users', 400],
    ['POST', '/organizations', 400],
    ['POST', `/orgs/${PLATFORM}/users`, 400],
    ['POST', '/platform/reconcile?dry_run=perhaps', 400],
  ])('%s %s answers %i', async (method, path, status) => {
    const answer = await call(method, path, method === 'POST' ? {} : undefined);
    expect([answer.status, answer.json.success]).toEqual([status, false]);
  });

  it('create a person with a given password, who can log in at once', async () => {
    const organization = fixture.id;
    const username = `direct-${fixture.companyCode.toLowerCase()}`;
    const person = { username, email: emailOf('direct'), given_name: 'Di', family_name: 'Rect' };
    const made = await call('POST', `/orgs/${organization}/users`, { ...person, password: DEMO_PASSWORD });
    expect(made).toMatchObject({ status: 201, json: { user: { username, account_state: 'active' } } });
    expect(JSON.stringify(made.json)).not.toContain(DEMO_PASSWORD);

    await logIn(server, username, fixture.companyCode.toLowerCase());
    const role = await call('GET', `/users/${made.json.user.id}/roles?org_id=${organization}`);
    expect(role.json).toMatchObject({ role: 'ORG_MEMBER', org_id: organization });

    const again = await call('POST', `/orgs/${organization}/users`, { ...person, password: DEMO_PASSWORD });
    expect([again.status, again.json.code]).toEqual([409, 'USERNAME_TAKEN']);
    const simple = await call('POST', `/orgs/${organization}/users`, {
      ...person,
      username: `simple-${username}`,
      email: emailOf('simple'),
      password: 'simple',
    });
    expect([simple.status, simple.json.code]).toEqual([400, 'PASSWORD_TOO_SIMPLE']);
  });
});

describe('a person with the user name of somebody in another organization', () => {
  it('is created under a name with the company code, which the answer contains and which logs in', async () => {
    const other = await createOrganization(server);
    const person = { email: other.mail('same'), given_name: 'Sa', family_name: 'Me', password: DEMO_PASSWORD };
    const username = `same-${fixture.companyCode.toLowerCase()}`;
    const make = (at: OrganizationFixture) => call('POST', `/orgs/${at.id}/users`, { ...person, username });
    expect((await make(fixture)).json).toMatchObject({ user: { username } });

    const made = await make(other);
    const theirs = `${other.companyCode.toLowerCase()}/${username}`;
    expect(made).toMatchObject({ status: 201, json: { user: { username: theirs, org_id: other.id } } });
    await logIn(server, theirs, other.companyCode);
    await logIn(server, username, fixture.companyCode);

    const again = await make(other);
    expect([again.status, again.json.code]).toEqual([409, 'USERNAME_TAKEN']);
  });
});

describe('the internal routes of the core service', () => {
  it('tell the role in the requested organization, or else that of the person’s own organization', async () => {
    const { json } = await call('GET', '/platform/users');
    const { id } = json.data[0];
    expect((await call('GET', `/users/${id}/roles`)).json).toEqual({
      success: true,
      user_id: id,
      org_id: PLATFORM,
      role: 'ORG_ADMIN',
    });
    expect((await call('GET', `/users/${id}/roles?org_id=${NOBODY}`)).status).toBe(404);
  });

  it('record a person before their organization, once, and never under another one', async () => {
    const [id, organization] = [randomUUID(), randomUUID()];
    const user = { id, organization_id: organization, email: emailOf('early'), username: id };
    expect(await call('POST', '/users', user)).toMatchObject({ status: 200, json: { user: { id } } });
    expect((await call('POST', '/users', { ...user, first_name: 'Early' })).status).toBe(200);
    expect(await call('POST', '/organizations', { id: organization, name: 'Late' })).toMatchObject({ status: 200 });
    const moved = await call('POST', '/users', { ...user, organization_id: PLATFORM });
    expect([moved.status, moved.json.code]).toEqual([409, 'USER_BELONGS_ELSEWHERE']);
  });

  it('record an organization that the auth service does not know: it can be switched off, and deleted', async () => {
    const id = randomUUID();
    expect((await call('POST', '/organizations', { id, name: 'Ours alone' })).status).toBe(200);
    const off = await call('PUT', `/platform/orgs/${id}/status`, { status: 'disabled' });
    expect(off).toMatchObject({ status: 200, json: { organization: { id, status: 'disabled' } } });
    expect((await call('DELETE', `/platform/orgs/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/platform/orgs/${id}`)).status).toBe(404);
  });

  it('let staff log in with an address that a customer registers, too', async () => {
    const [email, password] = [emailOf('jane-r'), 'Secret-Pass-11'];
    const person = { username: `jane-${fixture.companyCode}`, email, given_name: 'Jane', family_name: 'Roe', password };
    expect((await call('POST', `/orgs/${fixture.id}/users`, person)).status).toBe(201);
    const body = { email, password: 'Attacker-Pass-1', fullName: 'Mallory' };
    expect((await send(server, 'POST', '/auth/register', { body })).status).toBe(201);
    await logIn(server, email, fixture.companyCode, password);
  });

  it('send as many links to reset a password as the other service requests, all from its one address', async () => {
    for (let person = 1; person <= 25; person++) {
      const body = { email: emailOf(`nobody-${person}`), company_code: fixture.companyCode };
      expect((await call('POST', '/email/password-reset', body)).status).toBe(200);
    }
  });

  it('accept an empty body of type JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await call('DELETE', `/platform/orgs/${NOBODY.replace('ffff', 'eeee')}`, undefined, headers)).status).toBe(
      404,
    );
    expect((await call('POST', '/users', undefined, headers)).json.code).toBe('VALIDATION_FAILED');
  });
});
