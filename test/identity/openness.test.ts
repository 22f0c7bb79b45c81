import { routes } from '@foyer/rest-compat/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { send, signIn } from '../support/people.ts';

const ACME = '0a0c0000-0000-4000-8000-000000000001';
const MAIN = '0a0c0000-0000-4000-8000-000000000101';
const PLATFORM = '00000000-0000-0000-0000-000000000001';
/** A workspace of another organization. */
const THEIRS = '0a0c0000-0000-4000-8000-000000000201';
const SOME_ID = '0a0c0000-0000-4000-8000-0000000000ee';

/** What an honest legacy client sends, without a token. */
const headers = { 'x-organization-id': ACME, 'x-workspace-id': MAIN };
const campaign = {
  name: 'Openness',
  targetGroupId: SOME_ID,
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2030-02-01T00:00:00Z',
};
const node = { name: 'Openness', host: '10.255.0.7', httpPort: 80, apiPort: 81 };
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

/** What must answer strangers, or else nobody could sign in or buy; the rest asks for a token, in both modes. */
const publicRows = new Set([
  'POST /api/v1/login',
  'POST /api/v1/refresh',
  'POST /api/v1/logout',
  'GET /auth/magic-link/status',
  'POST /auth/magic-link/redeem',
  'GET /api/v1/auth/magic-link/status',
  'POST /api/v1/auth/magic-link/redeem',
  'POST /api/v1/auth/password-reset/request',
  'POST /api/v1/auth/password-reset/confirm',
  'GET /api/v1/auth/company-codes/:companyCode',
  'POST /api/v1/auth/self-signup/code',
  'POST /api/v1/auth/self-signup',
  'GET /api/v1/tenancy/permissions/catalog',
]);
const ofTheStorefront =
  /^(?!.*management)\S+ (\/payment\/|\/auth\/(login|register)$|\/api\/(order|customer))|^GET \/api\/advertisingTickets$/;
const nameOf = ({ method, url }: (typeof routes)[number]) => `${String(method)} ${url}`;
const protectedRows = routes.filter(
  (row) => !row.open && !publicRows.has(nameOf(row)) && !ofTheStorefront.test(nameOf(row)),
);

/** Asks many rows, eight at a time, and tells those whose answer is not among the expected. */
async function wrongOf(
  rows: typeof routes,
  expected: number[],
  answerOf: (row: (typeof routes)[number]) => Promise<{ status: number }>,
) {
  const wrong: string[] = [];
  for (let at = 0; at < rows.length; at += 8)
    await Promise.all(
      rows.slice(at, at + 8).map(async (row) => {
        const { status } = await answerOf(row);
        if (!expected.includes(status)) wrong.push(`${nameOf(row)}: ${status}`);
      }),
    );
  return wrong;
}

/** The answer to a row of the table, with ids that lead nowhere. */
function ask(house: House, method: string, url: string, sent: Record<string, string> = headers, workspaceId = MAIN) {
  const path = url
    .replaceAll(/:(campaignId|orgId|workspaceId|wid|uid|tid|profileId)/g, SOME_ID)
    .replaceAll(/:\w+/g, '99999');
  const body = bodies[`${method} ${url}`];
  return send(house, method, `${path}?workspaceId=${workspaceId}`, { headers: sent, ...(body && { body }) });
}

const askRow = (
  house: House,
  { method, url }: (typeof routes)[number],
  sent?: Record<string, string>,
  workspaceId?: string,
) => ask(house, String(method), url, sent, workspaceId);

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

  it('answers the registration of a customer with a token only where the documents rule', async () => {
    const body = { email: `${mode}@example.test`, password: 'Registered-1', fullName: 'New Customer' };
    const { status, json } = await send(house, 'POST', '/auth/register', { body });
    expect([status, Object.keys(json)]).toEqual([
      201,
      mode === 'documented' ? ['success', 'token', 'expiresAt', 'customer'] : ['success', 'expiresIn'],
    ]);
  });

  it('asks for a token on every route that the documents protect, whatever the headers claim', async () => {
    expect(protectedRows.length).toBeGreaterThan(100);
    const [reads, writes] = [true, false].map((read) =>
      protectedRows.filter(({ method }) => (method === 'GET') === read),
    );
    // What takes a body may say first that it is none.
    const without = [
      ...(await wrongOf(reads ?? [], [401], (row) => askRow(house, row))),
      ...(await wrongOf(writes ?? [], [401, 400], (row) => askRow(house, row))),
    ];
    expect(without).toEqual([]);
  });

  it('refuses a forged token on every route that takes one, before it looks at anything else', async () => {
    // Services and browsers' forms have none; the doors of the shop take a password in the body, whatever comes along.
    const rows = routes.filter(({ url }) => !/\/internal\/|\/payment\/|^\/auth\/(login|register)$/.test(url));
    const forged = { ...headers, authorization: 'Bearer forged' };
    expect(await wrongOf(rows, [401], (row) => askRow(house, row, forged))).toEqual([]);
  });

  it('lets a valid token win over what the client claims, on every route that believes claims: a mismatch is 403, or 404 by id', async () => {
    const { headers: token } = await signIn(house, 'orgadmin@acme.test', 'ACME');
    const elsewhere = { ...token, 'x-organization-id': PLATFORM, 'x-workspace-id': THEIRS };
    // Transcoding profiles belong to nobody: a claim makes no difference.
    const claims = openRows.filter(({ url }) => !url.endsWith('/transcoding-profiles'));
    const wrong = await wrongOf(claims, [403, 404], (row) => askRow(house, row, elsewhere, THEIRS));
    expect(wrong).toEqual([]);
    expect((await send(house, 'GET', '/api/v1/campaigns', { headers: { ...headers, ...token } })).status).toBe(200);
  });
});
