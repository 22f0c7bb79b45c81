import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { holds, shownBy, type Check, type Rows } from '../framework/row.ts';
import type { Server } from '../framework/server.ts';
import { acme } from './people.ts';
import { applicant } from './states.ts';

const base = '/api/v1/internal';

const call = (server: Server, method: string, path: string, body?: object) =>
  server.send(method, `${base}${path}`, { headers: server.internal(), ...(body && { body }) });

const organizationBody = (password: string) => {
  const code = `INT-${randomUUID().slice(0, 8).toUpperCase()}`;
  const email = `admin@${code.toLowerCase()}.test`;
  const admin = { username: email, email, password };
  return { name: `Internal ${code}`, company_code: code, app_ids: ['ticketing'], admin };
};

/** A route between services: refused without the secret, and then as the check says. */
const internal = (method: string, path: string, check: Check) =>
  holds(async (server) => {
    const filledIn = path.replaceAll(/:\w+/g, randomUUID());
    expect((await server.send(method, `${base}${filledIn}`)).status).toBe(401);
    await check(server);
  });

/** "Auth service: internal routes". */
export const authInternal: Rows = {
  'identity-auth-internal-post-platform-orgs': internal('POST', '/platform/orgs', async (server) => {
    const { status, json } = await call(server, 'POST', '/platform/orgs', organizationBody('Conforming-secret-1'));
    expect([status, json.organization.status]).toEqual([201, 'active']);
  }),

  'identity-auth-internal-post-platform-orgs-self-signup': internal(
    'POST',
    '/platform/orgs/self-signup',
    async (server) => {
      const { status, json } = await call(server, 'POST', '/platform/orgs/self-signup', {
        organization_name: 'Nobody',
        company_code: `NOBODY-${randomUUID().slice(0, 8)}`,
        email: `${randomUUID()}@applicant.test`,
        code: '000000',
        given_name: 'No',
        family_name: 'Body',
      });
      expect([status, json.success]).toEqual([400, false]); // the code was never mailed
      const { answer } = await applicant(server, (body) => call(server, 'POST', '/platform/orgs/self-signup', body));
      expect([answer.status, answer.json.organization.status]).toEqual([201, 'pending']);
    },
  ),

  'identity-auth-internal-put-platform-orgs-id-status': internal('PUT', '/platform/orgs/:id/status', async (server) => {
    const { id } = await server.newOrganization();
    for (const status of ['disabled', 'active'])
      expect(await call(server, 'PUT', `/platform/orgs/${id}/status`, { status })).toMatchObject({
        status: 200,
        json: { organization: { id, status } },
      });
  }),

  'identity-auth-internal-delete-platform-orgs-id': internal('DELETE', '/platform/orgs/:id', async (server) => {
    const { id } = await server.newOrganization();
    expect((await call(server, 'DELETE', `/platform/orgs/${id}`)).status).toBe(200);
    expect((await call(server, 'GET', `/orgs/${id}`)).status).toBe(404);
  }),

  'identity-auth-internal-get-platform-users-email-exists': internal(
    'GET',
    '/platform/users/email-exists',
    async (server) => {
      const exists = async (email: string) =>
        (await call(server, 'GET', `/platform/users/email-exists?email=${email}`)).json.exists;
      expect([await exists('admin@foyer.test'), await exists('nobody-at-all@foyer.test')]).toEqual([true, false]);
    },
  ),

  'identity-auth-internal-get-orgs-id-users': internal('GET', '/orgs/:id/users', async (server) => {
    const { id, admin } = await server.newOrganization();
    const { status, json } = await call(server, 'GET', `/orgs/${id}/users`);
    expect([status, json.data.map((user: { id: string }) => user.id)]).toEqual([200, [admin.id]]);
  }),

  'identity-auth-internal-post-orgs-id-users-invite': internal('POST', '/orgs/:id/users/invite', async (server) => {
    const email = `conf-${randomUUID().slice(0, 8)}@acme.test`;
    const { status, json } = await call(server, 'POST', `/orgs/${acme}/users/invite`, {
      username: email,
      email,
      given_name: 'In',
      family_name: 'Vited',
    });
    expect([status, json.user.account_state]).toEqual([201, 'invited']);
  }),

  'identity-auth-internal-post-orgs-id-users-uid-reinvite': internal(
    'POST',
    '/orgs/:id/users/:uid/reinvite',
    async (server) => {
      const email = `conf-${randomUUID().slice(0, 8)}@acme.test`;
      const body = { username: email, email, given_name: 'In', family_name: 'Vited' };
      const { json } = await call(server, 'POST', `/orgs/${acme}/users/invite`, body);
      const before = await server.mailedLink(email, '/auth/magic-link');
      expect((await call(server, 'POST', `/orgs/${acme}/users/${json.user.id}/reinvite`)).status).toBe(200);
      const token = new URL(before, 'http://x').searchParams.get('token');
      const peeked = await server.send('GET', `/auth/magic-link/status?token=${token}`);
      expect(peeked.json.valid ?? false).toBe(false); // a new link has replaced it
      const member = await server.login('member@acme.test', 'ACME');
      expect((await call(server, 'POST', `/orgs/${acme}/users/${member.id}/reinvite`)).status).toBe(409);
    },
  ),

  'identity-auth-internal-put-orgs-id-users-uid-status': internal(
    'PUT',
    '/orgs/:id/users/:uid/status',
    async (server) => {
      const organization = await server.organization();
      const { id, email } = await organization.member();
      const set = (status: string) => call(server, 'PUT', `/orgs/${organization.id}/users/${id}/status`, { status });
      expect((await set('disabled')).status).toBe(200);
      await expect(organization.again(email)).rejects.toThrow('ACCOUNT_DISABLED'); // so the password is still right
      expect((await set('active')).status).toBe(200);
      await organization.again(email);
    },
  ),

  'identity-auth-internal-delete-orgs-id-users-uid': internal('DELETE', '/orgs/:id/users/:uid', async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    expect((await call(server, 'DELETE', `/orgs/${organization.id}/users/${id}`)).status).toBe(200);
    const { json } = await call(server, 'GET', `/platform/users/email-exists?email=${email}`);
    expect(json.exists).toBe(false); // here and at the provider
  }),

  'identity-auth-internal-post-platform-reconcile-dry-run': internal('POST', '/platform/reconcile', async (server) => {
    const { status, json } = await call(server, 'POST', '/platform/reconcile?dry_run=true');
    expect([status, json.dry_run]).toEqual([200, true]);
  }),

  'identity-auth-internal-post-orgs-id-users': internal('POST', '/orgs/:id/users', async (server) => {
    const { id } = await server.organization();
    const email = `direct-${randomUUID().slice(0, 8)}@direct.test`;
    const body = { username: email, email, given_name: 'Di', family_name: 'Rect', password: 'Conforming-secret-1' };
    const { status, json } = await call(server, 'POST', `/orgs/${id}/users`, body);
    expect([status, json.user]).toEqual([201, expect.objectContaining({ email, account_state: 'active' })]);
    const { json: listed } = await call(server, 'GET', `/orgs/${id}/users?limit=100`);
    expect(listed.data.map((user: { id: string }) => user.id)).toContain(json.user.id);
    expect((await call(server, 'POST', `/orgs/${id}/users`, body)).status).toBe(409);
  }),

  'identity-auth-internal-stubs': shownBy(
    'test/identity/documented-routes.test.ts',
    'are 26 of the auth service and 4 of the core service',
    'the eleven stubs answer 501: identity-errors-501-stub-internal-routes',
  ),
};

/** "Core service: internal routes". */
export const coreInternal: Rows = {
  'identity-core-internal-get-users-id-roles': internal('GET', '/users/:id/roles', async (server) => {
    const { admin } = await server.organization();
    const { status, json } = await call(server, 'GET', `/users/${admin.id}/roles`);
    expect([status, json.role]).toEqual([200, 'ORG_ADMIN']);
  }),

  'identity-core-internal-post-users': internal('POST', '/users', async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    const named = async (user: object, first_name: string) => {
      const body = { organization_id: organization.id, email, username: email, ...user, first_name };
      return call(server, 'POST', '/users', body);
    };
    expect((await named({ id: randomUUID(), email: `${randomUUID()}@upsert.test` }, 'New')).status).toBe(200);
    for (const first_name of ['Up', 'Sert']) {
      const { status, json } = await named({ id }, first_name);
      expect([status, json.user]).toEqual([200, { id }]);
      const users = (await organization.ask('GET', '/users')).json.data.filter(
        (user: { id: string }) => user.id === id,
      );
      expect(users).toEqual([expect.objectContaining({ email, first_name })]);
    }
  }),

  'identity-core-internal-post-organizations': internal('POST', '/organizations', async (server) => {
    const id = randomUUID();
    for (const name of ['Up', 'Sert']) {
      const { status, json } = await call(server, 'POST', '/organizations', { id, name });
      expect([status, json.organization]).toEqual([200, { id }]);
    }
    const { headers } = await server.owner();
    const { json } = await server.send('GET', '/api/v1/tenancy/organizations', { headers }); // all of them
    const found = json.data.filter((organization: { id: string }) => organization.id === id);
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['Sert']);
  }),

  'identity-core-internal-post-email-password-reset': internal('POST', '/email/password-reset', async (server) => {
    const organization = await server.newOrganization();
    const email = organization.mail('admin');
    const { status } = await call(server, 'POST', '/email/password-reset', {
      email,
      company_code: organization.companyCode,
    });
    expect(status).toBe(200);
    expect(await server.mailedLink(email, '/reset-password')).toContain('token=');
  }),
};
