import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../../support/servers/hosted-server.ts';
import { DEMO_PASSWORD, send } from '../../support/fixtures/people.ts';

const FLOOR_MS = 80;
let server: HostedServer;

beforeAll(async () => {
  server = await startServer({ LOGIN_FLOOR_MS: String(FLOOR_MS), TRUSTED_PROXIES: '127.0.0.1,::1' });
});
afterAll(() => closeServer(server));

async function logInCustomer(
  username: string,
  password: string,
  { company_code = 'ACME', from = '192.0.2.1', cookie = '' } = {},
) {
  const begun = performance.now();
  const answer = await send(server, 'POST', '/api/v1/login', {
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie }) },
    body: { username, password, company_code },
  });
  return { ...answer, ms: performance.now() - begun };
}

describe('a refused login', () => {
  it('has the same answer and duration for an unknown user, a wrong password, and a member of another organization', async () => {
    const answers = [
      await logInCustomer('nobody@acme.test', DEMO_PASSWORD),
      await logInCustomer('member@acme.test', 'Wrong-password-1'),
      await logInCustomer('admin@foyer.test', DEMO_PASSWORD),
      await logInCustomer('member@acme.test', DEMO_PASSWORD, { company_code: 'NOWHERE' }),
    ];

    for (const { status, json, cookies, ms } of answers) {
      expect([status, json.code, cookies.length]).toEqual([401, 'INVALID_CREDENTIALS', 0]);
      expect(ms).toBeGreaterThanOrEqual(FLOOR_MS - 5);
    }
    const shapes = answers.map(({ json }) => JSON.stringify({ ...json, requestId: '' }));
    expect(new Set(shapes).size).toBe(1);
  });
});

describe('the limit on logins', () => {
  it('counts failures only: successful logins are not limited', async () => {
    for (let count = 0; count < 12; count++)
      expect((await logInCustomer('viewer@acme.test', DEMO_PASSWORD, { from: '192.0.2.2' })).status).toBe(200);
  });

  it.each(['orgadmin@acme.test', 'nobody-at-all@acme.test'])(
    'lets exactly ten of thirty guesses for %s from one network through, and then nobody there, with Retry-After',
    async (username) => {
      const from = username.startsWith('nobody') ? '198.51.100.1' : '198.51.100.2';
      const guesses = Array.from({ length: 30 }, (_, index) =>
        logInCustomer(username, `Wrong-password-${index}`, { from }),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);

      const right = await logInCustomer(username.toUpperCase(), DEMO_PASSWORD, { from, company_code: 'acme' });
      expect([right.status, right.json.code]).toEqual([429, 'RATE_LIMITED']);
      const retryAfter = Number(right.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(800);
      expect(retryAfter).toBeLessThanOrEqual(900);
    },
  );

  it('does not block the right person elsewhere', async () => {
    const company_code = 'PLATFORM';
    for (let count = 0; count < 11; count++)
      await logInCustomer('admin@foyer.test', `Wrong-password-${count}`, { from: '198.51.100.3', company_code });
    expect(
      (await logInCustomer('admin@foyer.test', DEMO_PASSWORD, { from: '198.51.100.3', company_code })).status,
    ).toBe(429);
    expect(
      (await logInCustomer('admin@foyer.test', DEMO_PASSWORD, { from: '198.51.100.4', company_code })).status,
    ).toBe(200);
  });

  it('lets unknown devices try once in ten seconds after thirty failures from everywhere, and known devices as before', async () => {
    const deviceOf = ({ cookies }: { cookies: string[] }) =>
      cookies.find((cookie) => cookie.startsWith('device='))?.split(';')[0] ?? '';
    const known = deviceOf(await logInCustomer('orgadmin@acme.test', DEMO_PASSWORD, { from: '198.51.100.5' }));
    const ofSomebodyElse = deviceOf(await logInCustomer('viewer@acme.test', DEMO_PASSWORD, { from: '198.51.100.6' }));
    expect([known, ofSomebodyElse]).toEqual([expect.stringContaining('device='), expect.stringContaining('device=')]);

    const guesses = Array.from({ length: 40 }, (_, index) =>
      logInCustomer('orgadmin@acme.test', `Wrong-password-${index}`, { from: `203.0.113.${index + 100}` }),
    );
    const refused = (await Promise.all(guesses)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);

    const from = '203.0.113.99';
    expect((await logInCustomer('orgadmin@acme.test', DEMO_PASSWORD, { from, cookie: ofSomebodyElse })).status).toBe(
      429,
    );
    expect((await logInCustomer('orgadmin@acme.test', DEMO_PASSWORD, { from, cookie: `${known}x` })).status).toBe(429);
    expect((await logInCustomer('orgadmin@acme.test', DEMO_PASSWORD, { from, cookie: known })).status).toBe(200);
  });

  it('counts the failures of a known device by themselves', async () => {
    const { cookies } = await logInCustomer('member@acme.test', DEMO_PASSWORD, { from: '198.51.100.7' });
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    for (let count = 0; count < 10; count++)
      expect(
        (await logInCustomer('member@acme.test', 'Wrong-1', { from: `198.51.100.${count + 10}`, cookie })).status,
      ).toBe(401);
    expect((await logInCustomer('member@acme.test', DEMO_PASSWORD, { from: '198.51.100.7', cookie })).status).toBe(429);
    expect((await logInCustomer('member@acme.test', DEMO_PASSWORD, { from: '198.51.100.7' })).status).toBe(200);
  });

  it('makes each failure after the fifth wait twice as long', async () => {
    const waits = [];
    for (let count = 1; count <= 7; count++)
      waits.push((await logInCustomer('patient@acme.test', 'Wrong-password-1', { from: '192.0.2.3' })).ms);
    expect(waits[4]).toBeGreaterThanOrEqual(FLOOR_MS - 5);
    expect(waits[5]).toBeGreaterThanOrEqual(2 * FLOOR_MS - 5);
    expect(waits[6]).toBeGreaterThanOrEqual(4 * FLOOR_MS - 5);
  });

  it('clears the failures at a success', async () => {
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++)
        expect((await logInCustomer('member@acme.test', 'Wrong-password-1', { from: '192.0.2.4' })).status).toBe(401);
      expect((await logInCustomer('member@acme.test', DEMO_PASSWORD, { from: '192.0.2.4' })).status).toBe(200);
    }
  });

  it('allows a hundred failures from one address', async () => {
    const from = '203.0.113.7';
    const guesses = Array.from({ length: 104 }, (_, index) =>
      logInCustomer(`guess-${index}@acme.test`, 'Wrong-1', { from }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expect((await logInCustomer('viewer@acme.test', DEMO_PASSWORD, { from: '203.0.113.8' })).status).toBe(200);
  });
});

describe('bad input to the login', () => {
  it.each([
    ['no body', undefined],
    ['a list', []],
    ['numbers', { username: 1, password: 2, company_code: 3 }],
    ['an object as password', { username: 'a', password: { $ne: '' }, company_code: 'ACME' }],
    ['an endless name', { username: 'a'.repeat(201), password: 'b', company_code: 'ACME' }],
    ['an endless password', { username: 'a', password: 'b'.repeat(201), company_code: 'ACME' }],
    ['an empty password', { username: 'a', password: '', company_code: 'ACME' }],
    ['no company code', { username: 'a', password: 'b' }],
  ])('%s gets 400 and the error body', async (_what, body) => {
    const { status, json, cookies } = await send(server, 'POST', '/api/v1/login', { body });
    expect([status, json.success, cookies.length]).toEqual([400, false, 0]);
    expect(json.requestId).toEqual(expect.any(String));
  });

  it('malformed JSON gets 400, another content type 415, an oversize body 413', async () => {
    const post = (body: string, type: string) =>
      fetch(new URL('/api/v1/login', server.url), { method: 'POST', body, headers: { 'content-type': type } });
    expect((await post('{"username":', 'application/json')).status).toBe(400);
    expect((await post('<login/>', 'application/xml')).status).toBe(415);
    expect((await post(JSON.stringify({ username: 'a'.repeat(2_000_000) }), 'application/json')).status).toBe(413);
  });
});
