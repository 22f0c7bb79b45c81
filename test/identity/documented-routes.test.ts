import { routes } from '@foyer/rest-compat/routes';
import { beforeAll, describe, expect, it } from 'vitest';

import { send, logIn } from '../support/fixtures/people.ts';
import { INTERNAL_PSK } from '../support/servers/shared-settings.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

const NOBODY = '0a0c0000-0000-4000-8000-00000000ffff';
const INTERNAL = '/api/v1/internal';
const ORGANIZATION = '/api/v1/tenancy/organizations/:orgId';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const filledIn = (path: string) => path.replaceAll(/:\w+/g, NOBODY);
const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  send(server, method, filledIn(path), { headers, ...(method !== 'GET' && method !== 'DELETE' && { body: {} }) });

it('an undocumented path is answered 404, so any other status means that there is a route', async () => {
  expect((await ask('GET', '/api/v1/no-such-route')).status).toBe(404);
});

describe('the public routes of the auth service, called without token and body', () => {
  it.each([
    ['POST', '/api/v1/login', 400],
    ['POST', '/api/v1/refresh', 400],
    ['POST', '/api/v1/protected/logout', 401],
    ['GET', '/api/v1/sessions/stream', 401],
    ['GET', '/sessions', 401],
    ['POST', '/sessions/:id/revoke', 401],
    ['POST', '/sessions/revoke-others', 401],
    ['POST', '/logout/all', 401],
    ['GET', '/.well-known/jwks.json', 200],
    ['POST', '/api/v1/auth/password-reset/request', 200],
    ['GET', '/auth/magic-link/status', 400],
    ['POST', '/auth/magic-link/redeem', 400],
  ])('%s %s answers %i', async (method, path, status) => {
    expect((await ask(method, path)).status).toBe(status);
  });
});

describe('the identity and tenancy routes of the core service, called without a token', () => {
  it.each([
    ['GET', '/api/v1/identity/users/me'],
    [
      'POST',
      '/api/v1/tenancy/organizations',
      { name: 'X', company_code: 'X', hosting_type: 'on_prem', license_duration_days: 1 },
    ],
    ['PUT', `${ORGANIZATION}/status`, { status: 'active' }],
    ['DELETE', ORGANIZATION],
    [
      'POST',
      `${ORGANIZATION}/invitations`,
      { username: 'x@acme.test', email: 'x@acme.test', given_name: 'X', family_name: 'Y' },
    ],
    ['POST', `${ORGANIZATION}/users/:uid/reinvite`],
    ['PATCH', `${ORGANIZATION}/users/:uid/role`, { role: 'ORG_MEMBER' }],
    ['PATCH', `${ORGANIZATION}/users/:uid/status`, { status: 'disabled' }],
    ['DELETE', `${ORGANIZATION}/users/:uid`],
    ['POST', `${ORGANIZATION}/workspaces/:wid/members`, { user_id: NOBODY, role: 'VIEWER' }],
    ['PATCH', `${ORGANIZATION}/workspaces/:wid/members/:uid`, { role: 'VIEWER' }],
    ['DELETE', `${ORGANIZATION}/workspaces/:wid/members/:uid`],
    ['POST', `${ORGANIZATION}/teams/:tid/members`, { user_id: NOBODY, role: 'member' }],
    ['PATCH', `${ORGANIZATION}/teams/:tid/members/:uid`, { role: 'member' }],
    ['DELETE', `${ORGANIZATION}/teams/:tid/members/:uid`],
    ['POST', `${ORGANIZATION}/teams/:tid/workspaces`, { workspace_id: NOBODY, role: 'VIEWER' }],
    ['PATCH', `${ORGANIZATION}/teams/:tid/workspaces/:wid`, { role: 'VIEWER' }],
    ['DELETE', `${ORGANIZATION}/teams/:tid/workspaces/:wid`],
    ['POST', `${ORGANIZATION}/roles`, { name: 'X', scope: 'organization', description: '', permissions: [] }],
    ['GET', `${ORGANIZATION}/users`],
    ['GET', `${ORGANIZATION}/roles`],
    ['GET', `${ORGANIZATION}/roles-matrix`],
    ['GET', `${ORGANIZATION}/roles/:id/members`],
    ['GET', `${ORGANIZATION}/workspaces`],
    ['GET', `${ORGANIZATION}/workspaces/:id/members`],
    ['GET', `${ORGANIZATION}/teams`],
    ['GET', `${ORGANIZATION}/teams/:id/members`],
  ])('%s %s answers 401', async (method, path, body?: object) => {
    expect((await send(server, method, filledIn(path), { ...(body && { body }) })).status).toBe(401);
  });

  it('GET /api/v1/tenancy/permissions/catalog answers every caller with the permission strings by scope', async () => {
    const { status, json } = await ask('GET', '/api/v1/tenancy/permissions/catalog');
    expect(status).toBe(200);
    const sizes = ['platform', 'organization', 'workspace'].map((scope) => json[scope]?.length);
    expect(sizes).toEqual([4, 25, 33]);
    expect(json.workspace).toContain('catalogue:manage');
  });
});

describe('the internal routes, called without the secret', () => {
  it.each([
    ['POST', '/platform/orgs'],
    ['POST', '/platform/orgs/self-signup'],
    ['PUT', '/platform/orgs/:id/status'],
    ['DELETE', '/platform/orgs/:id'],
    ['GET', '/platform/users/email-exists'],
    ['GET', '/orgs/:id/users'],
    ['POST', '/orgs/:id/users'],
    ['POST', '/orgs/:id/users/invite'],
    ['POST', '/orgs/:id/users/:uid/reinvite'],
    ['PUT', '/orgs/:id/users/:uid/status'],
    ['DELETE', '/orgs/:id/users/:uid'],
    ['POST', '/platform/reconcile'],
    ['GET', '/users/:id/roles'],
    ['POST', '/users'],
    ['POST', '/organizations'],
    ['POST', '/email/password-reset'],
  ])('%s %s exists and refuses', async (method, path) => {
    expect(await ask(method, `${INTERNAL}${path}`)).toMatchObject({
      status: 401,
      json: { success: false, code: 'INTERNAL_TOKEN_INVALID' },
    });
  });

  it('are 26 of the auth service and 4 of the core service', () => {
    expect(routes.filter(({ url }) => url.startsWith(INTERNAL))).toHaveLength(26 + 4);
  });
});

describe('the stubs among the internal routes', () => {
  it.each([
    ['GET', '/platform/orgs'],
    ['GET', '/platform/orgs/:id'],
    ['PATCH', '/platform/orgs/:id'],
    ['PUT', '/platform/orgs/:id/company-code'],
    ['GET', '/platform/orgs/:id/license'],
    ['PUT', '/platform/orgs/:id/license'],
    ['GET', '/platform/users/:uid'],
    ['PATCH', '/platform/users/:uid'],
    ['GET', '/orgs/:id/users/:uid'],
    ['PATCH', '/orgs/:id/users/:uid'],
    ['GET', '/orgs/:id/users/:uid/sessions'],
  ])('%s %s answers 501, and only to callers with the secret', async (method, path) => {
    const known = await ask(method, `${INTERNAL}${path}`, { 'x-internal-token': INTERNAL_PSK });
    expect([known.status, known.json.success]).toEqual([501, false]);
    expect((await ask(method, `${INTERNAL}${path}`)).status).toBe(401);
  });
});

describe('a browser of another site', () => {
  it.each(['/users/:id/roles', '/platform/users/email-exists'])(
    'is never allowed to send X-Internal-Token, to %s',
    async (path) => {
      const response = await fetch(new URL(`${INTERNAL}${filledIn(path)}`, server.url), {
        method: 'OPTIONS',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-internal-token',
        },
      });
      expect(response.headers.get('access-control-allow-headers') ?? '').not.toMatch(/x-internal-token|\*/i);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('a permission or organization mismatch', () => {
  it('is answered 403 by every write of an organization, to a member of it without rights', async () => {
    const member = await logIn(server, 'member@acme.test', 'ACME');
    const own = '0a0c0000-0000-4000-8000-000000000001';
    const changes = {
      'POST /invitations': { username: 'x@acme.test', email: 'x@acme.test', given_name: 'X', family_name: 'Y' },
      'POST /roles': { name: 'X', scope: 'organization', description: '', permissions: [] },
      [`PATCH /users/${NOBODY}/role`]: { role: 'ORG_MEMBER' },
      [`PATCH /users/${NOBODY}/status`]: { status: 'disabled' },
    };
    for (const [row, body] of Object.entries(changes)) {
      const [method = '', path = ''] = row.split(' ');
      const answer = await send(server, method, `/api/v1/tenancy/organizations/${own}${path}`, {
        headers: member.headers,
        body,
      });
      expect([row, answer.status]).toEqual([row, 403]);
    }
  });
});
