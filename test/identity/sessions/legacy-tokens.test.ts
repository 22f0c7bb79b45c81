import { beforeAll, describe, expect, it } from 'vitest';

import { tokenIn, verify } from '../../support/fixtures/customers.ts';
import { linkFor } from '../../support/servers/inbox.ts';
import { legacyToken } from '../../support/fixtures/legacy-tokens.ts';
import { send } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

/** Spec 1, "A legacy HS256 scheme"; role-routes.test.ts shows who passes the role-based routes. */
describe('legacy HS256 tokens', () => {
  let server: SharedServer;
  beforeAll(async () => {
    server = await sharedServer();
  });

  it('name no organization: at open routes the headers of the client decide, as without a token', async () => {
    const authorization = `Bearer ${await legacyToken(server, { role: 'MEMBER' })}`;
    const headers = { authorization, 'x-organization-id': '0a0c0000-0000-4000-8000-000000000001' };
    const { status, json } = await send(server, 'GET', '/api/v1/campaigns', { headers });
    expect([status, json.length > 0]).toEqual([200, true]);
    const query = '{ campaigns(organizationId: "0a0c0000-0000-4000-8000-000000000001") { edges { node { id } } } }';
    const strict = await send(server, 'POST', '/graphql', { headers, body: { query } });
    expect(strict.json.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('open nothing of identity, which ignores roles of the legacy scheme', async () => {
    const authorization = `Bearer ${await legacyToken(server, { role: 'SYSADMIN' })}`;
    const me = await send(server, 'GET', '/api/v1/identity/users/me', { headers: { authorization } });
    expect(me.status).toBe(403);
    const list = await send(server, 'GET', '/api/v1/tenancy/organizations', { headers: { authorization } });
    expect(list.status).toBe(403);
  });

  it('may name a customer by other text than a UUID, as the documents do: such a customer has no orders', async () => {
    const headers = { authorization: `Bearer ${await legacyToken(server, { role: 'CUSTOMER', custId: 'C-1001' })}` };
    const { status, json } = await send(server, 'GET', '/api/orderTicketGroups', { headers });
    expect([status, json]).toEqual([200, []]);
    const query = '{ myOrders { totalCount edges { node { orderNo } } } customer { custId } }';
    const { json: answer } = await send(server, 'POST', '/graphql', { headers, body: { query } });
    expect(answer.data).toEqual({ myOrders: { totalCount: 0, edges: [] }, customer: null });
    expect(answer.errors[0].extensions.reason).toBe('CUSTOMER_NOT_FOUND');
    const body = { query: 'mutation { updateCustomerProfile(input: { fullName: "X" }) { custId } }' };
    const { json: update } = await send(server, 'POST', '/graphql', { headers, body });
    expect(update.errors[0].extensions.reason).toBe('CUSTOMER_NOT_FOUND');
  });

  describe('customers of the storefront, in their own organization of the identity provider', () => {
    const register = (body: unknown) => send(server, 'POST', '/auth/register', { body });
    const login = (body: unknown) => send(server, 'POST', '/auth/login', { body });
    const fresh = { email: 'new.customer@example.test', password: 'Foyer-demo-1', fullName: 'New Customer' };

    it('register, verify their address, and log in with their own token, unknown to the login of staff', async () => {
      const registered = await register(fresh);
      expect([registered.status, typeof registered.json.token]).toEqual([201, 'string']);
      expect(JSON.stringify(registered.json)).not.toContain(fresh.password);
      const link = await linkFor(server, fresh.email, '/account/verify');
      await verify(server, tokenIn(link), fresh.password);
      const { status, json } = await login(fresh);
      expect([status, typeof json.token]).toEqual([200, 'string']);
      const staff = await send(server, 'POST', '/api/v1/login', {
        body: { username: fresh.email, password: fresh.password, company_code: 'ACME' },
      });
      expect([staff.status, staff.json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    });

    it('do not learn who has registered: a wrong password and a stranger are answered alike', async () => {
      const wrong = await login({ ...fresh, password: 'Wrong-password-1' });
      const stranger = await login({ email: 'nobody@example.test', password: 'Wrong-password-1' });
      expect(wrong.status).toBe(401);
      expect({ ...wrong.json, requestId: '' }).toEqual({ ...stranger.json, requestId: '' });
      const employee = await login({ email: 'member@acme.test', password: 'Foyer-demo-1' });
      expect(employee.status).toBe(401);
    });

    it.each([
      ['nothing', {}],
      ['no e-mail address', { ...fresh, email: 'nonsense' }],
      ['a number for a password', { ...fresh, email: 'x@example.test', password: 12_345_678 }],
      ['a simple password', { ...fresh, email: 'y@example.test', password: 'simple' }],
      ['an endless name', { ...fresh, email: 'z@example.test', fullName: 'n'.repeat(5_000) }],
      ['a list', []],
    ])('are refused with %s', async (_what, body) => {
      const { status, json } = await register(body);
      expect([status, json.success]).toEqual([400, false]);
    });
  });
});
