import { randomUUID } from 'node:crypto';

import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import { deviates, holds, shownBy, type Check, type Rows } from '../framework/row.ts';
import { acme, catalog, invited, me } from './people.ts';
import { loginRules } from './public-routes.ts';
import { applicant } from './states.ts';

/** The same as another row, which checks it in full. */
const as =
  (rows: Rows, anchor: string): Check =>
  (server) =>
    rows[anchor]?.check?.(server);

/** "Errors". */
export const errors: Rows = {
  'identity-errors-401-access-token': holds(async (server) => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { cookie: 'access_token=nonsense' }])
      expect((await server.send('GET', me, { headers })).status).toBe(401);
  }, 'blocked: identity-revocation-2-rejected; expired: test/identity/sessions/token-mix-ups.test.ts'),

  'identity-errors-401-no-refresh-token': holds(async (server) => {
    for (const client_type of ['web', 'mobile']) {
      const { status, json } = await server.send('POST', '/api/v1/refresh', { body: { client_type } });
      expect([status, json.code]).toEqual([401, 'no_refresh_token']);
    }
  }),

  'identity-errors-400': holds(async (server) => {
    expect((await server.send('POST', '/api/v1/refresh', { body: { refresh_token: 'x' } })).status).toBe(400);
  }, 'invite without a profile: identity-tenancy-2-invite-needs-profile'),

  'identity-errors-401-or-400-invalid-credentials': holds(async (server) => {
    const login = async (changes: object) => {
      const { status, json } = await server.send('POST', '/api/v1/login', {
        body: { username: 'member@acme.test', password: server.password(), company_code: 'ACME', ...changes },
      });
      return [status, json.code];
    };
    for (const changes of [{ password: 'wrong' }, { username: randomUUID() }, { company_code: 'PLATFORM' }])
      expect(await login(changes)).toEqual([401, 'INVALID_CREDENTIALS']);
  }, 'always 401; 400 is for malformed bodies'),

  'identity-errors-403-org-pending-org-disabled': holds(
    as(loginRules, 'identity-login-5-organization-status'),
    'ORG_PENDING: subgraphs/identity/src/login/login-rules.integration.test.ts',
  ),

  'identity-errors-403-account-prefix': holds(async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'disabled' } });
    await expect(organization.again(email)).rejects.toThrow(/403 .*"ACCOUNT_DISABLED"/);
  }, 'ACCOUNT_PENDING, ACCOUNT_INVITED: subgraphs/identity/src/login/login-rules.integration.test.ts'),

  'identity-errors-503-license-expired': shownBy('test/identity/license.test.ts', 'rule 2: refuses every login'),

  'identity-errors-403-permission-organization-mismatch': holds(async (server) => {
    const [one, other] = [await server.organization(), await server.newOrganization()];
    const { headers } = await one.member();
    const body = { name: 'No' };
    expect((await one.ask('POST', '/teams', { headers, body })).status).toBe(403);
    expect((await other.ask('POST', '/teams', { headers: one.admin.headers, body })).status).toBe(403);
  }),

  'identity-errors-409-direct-and-team': holds(async (server) => {
    const organization = await server.organization();
    const { id } = await organization.member();
    const team = (await organization.ask('POST', '/teams', { body: { name: randomUUID() } })).json.data.id as string;
    const workspace = (await organization.ask('POST', '/workspaces', { body: { name: 'Both' } })).json.data
      .id as string;
    await organization.ask('POST', `/teams/${team}/workspaces`, { body: { workspace_id: workspace, role: 'VIEWER' } });
    await organization.ask('POST', `/teams/${team}/members`, { body: { user_id: id } });
    const direct = await organization.ask('POST', `/workspaces/${workspace}/members`, {
      body: { user_id: id, role: 'VIEWER' },
    });
    expect(direct.status).toBe(409);
  }),

  'identity-errors-501-stub-internal-routes': holds(async (server) => {
    const stubs = [
      'GET /platform/orgs',
      'GET /platform/orgs/:id',
      'PATCH /platform/orgs/:id',
      'PUT /platform/orgs/:id/company-code',
      'GET /platform/orgs/:id/license',
      'PUT /platform/orgs/:id/license',
      'GET /platform/users/:uid',
      'PATCH /platform/users/:uid',
      'GET /orgs/:id/users/:uid',
      'PATCH /orgs/:id/users/:uid',
      'GET /orgs/:id/users/:uid/sessions',
    ];
    for (const stub of stubs) {
      const [method = '', path = ''] = stub.split(' ');
      const { status } = await server.send(method, `/api/v1/internal${path.replaceAll(/:\w+/g, randomUUID())}`, {
        headers: server.internal(),
      });
      expect([stub, status]).toEqual([stub, 501]);
    }
  }),
};

/** "Limits" and "Versioning". */
export const limits: Rows = {
  'identity-limits-access-token-lifetime': holds(async (server) => {
    const { iat = 0, exp = 0 } = decodeJwt((await server.login('member@acme.test', 'ACME')).accessToken);
    expect(exp - iat).toBe(900);
  }),
  'identity-limits-refresh-token-lifetime': holds(async (server) => {
    const { iat = 0, exp = 0 } = decodeJwt((await server.login('member@acme.test', 'ACME')).refreshToken);
    expect(exp - iat).toBe(168 * 3_600);
  }),
  'identity-limits-magic-link-lifetime': holds(async (server) => {
    const { token } = await invited(server);
    const { json } = await server.send('GET', `/auth/magic-link/status?token=${token}`);
    const minutes = (Date.parse(json.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThanOrEqual(10.1);
  }),
  'identity-limits-password-reset-link-lifetime': shownBy(
    'subgraphs/identity/src/passwords/lifetimes.integration.test.ts',
    'is good until its time is over: the link of a forgotten password',
  ),
  'identity-limits-role-fetch-timeout': shownBy(
    'subgraphs/identity/src/login/login-rules.integration.test.ts',
    'is the literal member when it can not be read within five seconds',
  ),
  'identity-limits-key-set-cache': holds(async (server) => {
    const { headers } = await server.send('GET', '/.well-known/jwks.json');
    expect(headers.get('cache-control')).toContain('max-age=300');
  }),
  'identity-limits-license-re-check': shownBy(
    'subgraphs/identity/src/license/license-guard.test.ts',
    'reads the license again every 24 hours',
  ),
  'identity-limits-blocklist-entry-lifetime': deviates(
    '0051-known-deviations',
    'a block time is kept longer than any token lives; that changes nothing, as older tokens have expired',
  ),
  'identity-limits-catalog-size': holds(async (server) => {
    const { json } = await catalog(server);
    expect([json.platform.length, json.organization.length, json.workspace.length]).toEqual([4, 25, 33]);
  }),
  'identity-limits-system-roles': shownBy(
    'subgraphs/identity/src/permissions/workspace-rights.test.ts',
    'holds 4 platform, 25 organization and 33 workspace permissions, and 13 roles',
  ),
  'identity-limits-self-signup-verification-code': deviates(
    '0051-known-deviations',
    'six digits, with five attempts',
    async (server) => {
      const tried = async (wrongs: number) => {
        const statuses: number[] = [];
        const { answer } = await applicant(server, async (application) => {
          const { code } = application as { code: string };
          expect(code).toMatch(/^\d{6}$/);
          const apply = (body: object) => server.send('POST', '/api/v1/auth/self-signup', { body });
          const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
          for (let time = 0; time < wrongs; time++)
            statuses.push((await apply({ ...application, code: wrong })).status);
          return apply(application);
        });
        return [...statuses, answer.status];
      };
      expect(await tried(1)).toEqual([400, 201]);
      expect(await tried(5)).toEqual([400, 400, 400, 400, 400, 400]); // the code is used up
    },
  ),
  'identity-limits-no-rate-limit': deviates(
    '0014-sessions',
    'after ten failures in a quarter of an hour from one network or device, any login there is 429; reset requests are limited by network',
  ),
  'identity-limits-configuration': shownBy(
    'test/documents.test.ts',
    'lists every variable that the configuration reads',
    'docs/operations.md lists each of these names',
  ),

  'identity-versioning-prefix': holds(async (server) => {
    expect((await server.send('GET', '/.well-known/jwks.json')).status).toBe(200);
    for (const [path, status] of [
      ['/api/v1/login', 400],
      ['/api/v1/refresh', 400],
    ] as const)
      expect([path, (await server.send('POST', path, { body: {} })).status]).toEqual([path, status]);
    for (const path of [me, `/api/v1/tenancy/organizations/${acme}/users`, `/api/v1/internal/orgs/${acme}`])
      expect([path, (await server.send('GET', path)).status]).toEqual([path, 401]);
  }),
  'identity-versioning-older': holds(async (server) => {
    const { headers } = await server.acmeAdmin();
    expect((await server.send('GET', '/workspaces', { headers })).status).toBe(200);
    const legacy = await server.legacy('ADMIN');
    expect((await server.send('GET', '/api/notifications', { headers: legacy })).status).toBe(200);
  }),
};
