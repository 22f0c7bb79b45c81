import { routes } from '@foyer/rest-compat/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { legacyToken } from '../support/legacy-tokens.ts';
import { send, signIn } from '../support/people.ts';

const ACME = '0a0c0000-0000-4000-8000-000000000001';
const MAIN = '0a0c0000-0000-4000-8000-000000000101';
const PLATFORM = '00000000-0000-0000-0000-000000000001';
const SOME_ID = '0a0c0000-0000-4000-8000-0000000000ee';

/** What an honest legacy client sends, without a token. */
const headers = { 'x-organization-id': ACME, 'x-workspace-id': MAIN };
const campaign = {
  name: 'Openness',
  targetGroupId: SOME_ID,
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2030-02-01T00:00:00Z',
};
const node = { name: 'Openness', host: '192.0.2.7', httpPort: 80, apiPort: 81 };
const bodies: Record<string, object> = {
  'POST /api/v1/campaigns': campaign,
  'PUT /api/v1/campaigns/:campaignId': campaign,
  'POST /api/media/prepare': {
    title: 'Open',
    mediaType: 'image',
    mimeType: 'image/png',
    fileSize: 10,
    originalName: 'a.png',
    fileName: 'a.png',
    tenant: 'acme',
  },
  'POST /channels': { name: 'Open', sourceType: 'udp', origins: [{ streamerId: 99_999 }] },
  'PUT /channels/:id': { name: 'Open' },
  ...Object.fromEntries(['/streamers', '/caches', '/load-balancers'].map((path) => [`POST ${path}`, node])),
  ...Object.fromEntries(['/streamers', '/caches', '/load-balancers'].map((path) => [`PUT ${path}/:id`, { name: 'X' }])),
};

const openRows = routes.filter(({ open }) => open);

/** The answer to a row of the table, with ids that lead nowhere. */
function ask(house: House, method: string, url: string, sent: Record<string, string> = headers) {
  const path = url.replaceAll(':campaignId', SOME_ID).replaceAll(/:\w+/g, '99999');
  const body = bodies[`${method} ${url}`];
  return send(house, method, `${path}?workspaceId=${MAIN}`, { headers: sent, ...(body && { body }) });
}

describe.each(['documented', 'strict'] as const)('REST_AUTH=%s', (mode) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({ REST_AUTH: mode, LOGIN_FLOOR_MS: '50' });
  }, 180_000);
  afterAll(() => closeHouse(house));

  it('knows more than twenty routes that the documents leave open', () => {
    expect(openRows.length).toBeGreaterThan(20);
    const warned = house.printed().includes('REST_AUTH=documented');
    expect(warned).toBe(mode === 'documented');
  });

  it.each(openRows.map(({ method, url }) => [String(method), url]))(
    '%s %s answers without a token when the documents leave it open, and asks for one when strict',
    async (method, url) => {
      const { status, json } = await ask(house, method, url);
      // In documented mode the row may still find nothing under our ids, or a node that is not there.
      expect(mode === 'strict' ? [401] : [200, 201, 400, 404, 409, 502]).toContain(status);
      expect(json.code === 'UNAUTHENTICATED').toBe(mode === 'strict');
      // A wrong token is refused in both: it is not as good as none.
      const forged = await ask(house, method, url, { ...headers, authorization: 'Bearer forged' });
      expect(forged.status).toBe(401);
    },
  );

  it('lets a valid token win over the headers of the client: a mismatch is 403', async () => {
    const { headers: token } = await signIn(house, 'member@acme.test', 'ACME');
    const elsewhere = { ...token, 'x-organization-id': PLATFORM };
    expect((await send(house, 'GET', '/api/v1/campaigns', { headers: { ...headers, ...token } })).status).toBe(200);
    expect((await send(house, 'GET', '/api/v1/campaigns', { headers: elsewhere })).status).toBe(403);
  });
});

/** Spec 1, "A legacy HS256 scheme"; who passes the role-based routes is told by role-routes.test.ts. */
describe('legacy HS256 tokens', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({ LOGIN_FLOOR_MS: '50' });
  }, 180_000);
  afterAll(() => closeHouse(house));

  it('open nothing of identity: roles of the legacy scheme are no roles there', async () => {
    const authorization = `Bearer ${await legacyToken(house, { role: 'SYSADMIN' })}`;
    const me = await send(house, 'GET', '/api/v1/identity/users/me', { headers: { authorization } });
    expect(me.status).toBe(403);
    const list = await send(house, 'GET', '/api/v1/tenancy/organizations', { headers: { authorization } });
    expect(list.status).toBe(403);
  });

  describe('customers of the storefront, in their own organization of the identity provider', () => {
    const register = (body: unknown) => send(house, 'POST', '/auth/register', { body });
    const login = (body: unknown) => send(house, 'POST', '/auth/login', { body });
    const fresh = { email: 'new.customer@example.test', password: 'Foyer-demo-1', fullName: 'New Customer' };

    it('register and sign in with their own token, and are unknown to the login of staff', async () => {
      const registered = await register(fresh);
      expect(registered.status).toBe(201);
      expect(JSON.stringify(registered.json)).not.toContain(fresh.password);
      const { status, json } = await login(fresh);
      expect([status, typeof json.token]).toEqual([200, 'string']);
      const staff = await send(house, 'POST', '/api/v1/login', {
        body: { username: fresh.email, password: fresh.password, company_code: 'ACME' },
      });
      expect([staff.status, staff.json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    });

    it('are not told who has registered: a wrong password and a stranger are answered alike', async () => {
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

    it('can not take an address that is taken, with another password', async () => {
      const { status } = await register({ ...fresh, password: 'Another-one-2' });
      expect(status).toBe(409);
    });
  });
});
