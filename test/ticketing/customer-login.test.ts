import { startRecordingProxy, type RecordingProxy } from '@foyer/identity/testing/recording-proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import { startProviderFixture, type ProviderFixture } from '../support/servers/provider-fixture.ts';
import { DEMO_PASSWORD, graphql, send, logIn } from '../support/fixtures/people.ts';

let provider: ProviderFixture;
let line: RecordingProxy;
let server: HostedServer;

beforeAll(async () => {
  provider = await startProviderFixture();
  line = await startRecordingProxy(provider.url);
  server = await startServer({
    ...provider.env,
    LOGIN_FLOOR_MS: '20',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    IDP_URL: line.url,
  });
});

afterAll(async () => {
  await closeServer(server);
  await line.stop();
  await provider.stop();
});

beforeEach(() => void line.calls.splice(0));

/** The users whose password the provider has checked. */
const checked = () =>
  line.calls
    .filter(({ call }) => call.method === 'CreateSession')
    .map(({ request }) => (request as { checks: { user: { loginName: string } } }).checks.user.loginName);

const overRest = async (email: string, password: string, from = '192.0.2.1') => {
  const headers = { 'x-forwarded-for': from };
  const { status, json, ...answer } = await send(server, 'POST', '/auth/login', { headers, body: { email, password } });
  return { status, body: { ...json, requestId: '' }, retryAfter: answer.headers.get('retry-after') };
};

const LOGIN = `mutation ($email: String!, $password: String!) {
  loginCustomer(email: $email, password: $password) { token } }`;
const overGraphql = async (email: string, password: string, from = '192.0.2.1') => {
  const { data, errors } = await graphql(server, LOGIN, { email, password }, { 'x-forwarded-for': from });
  return {
    data,
    errors: errors?.map(({ extensions, message }: { extensions: object; message: string }) => ({
      message,
      ...extensions,
      requestId: '',
    })),
  };
};

const kinds = {
  'the address of a member of staff, with their right password': ['member@acme.test', DEMO_PASSWORD],
  'the address of a member of staff, with a wrong one': ['member@acme.test', 'Wrong-password-1'],
  'an address that nobody has': ['nobody@example.test', 'Wrong-password-1'],
} as const;

describe.each([
  ['REST', overRest],
  ['GraphQL', overGraphql],
])('over %s, the login of customers', (_name, login: (email: string, password: string) => Promise<object>) => {
  it.each(Object.entries(kinds))(
    'answers %s as a wrong password, and checks no password',
    async (_kind, [email, password]) => {
      const wrong = await login('customer@foyer.test', 'Wrong-password-1');
      expect(checked()).toEqual([expect.stringMatching(/^customer-/)]);
      line.calls.splice(0);

      expect(await login(email, password)).toEqual(wrong);
      expect(JSON.stringify(wrong)).toContain('INVALID_CREDENTIALS');
      expect(checked()).toEqual([]);
    },
  );
});

it('accepts the right password, in any case of the address', async () => {
  expect((await overRest('Customer@Foyer.test', DEMO_PASSWORD)).status).toBe(200);
  expect((await overGraphql(' customer@foyer.test', DEMO_PASSWORD)).data.loginCustomer.token).toEqual(
    expect.any(String),
  );
});

describe('the limit on logins of customers', () => {
  it.each(['limited@example.test', 'viewer@acme.test'])(
    'lets ten of thirty guesses for %s from one network through, over REST and GraphQL together, and answers with the time to wait',
    async (email) => {
      const from = email.startsWith('limited') ? '198.51.100.20' : '198.51.100.21';
      const guesses = Array.from({ length: 30 }, async (_, index) => {
        if (index % 2 === 0) return (await overRest(email, `Wrong-${index}`, from)).body.code;
        return (await overGraphql(email, `Wrong-${index}`, from)).errors[0].reason;
      });
      const reasons = await Promise.all(guesses);
      expect(reasons.filter((reason) => reason === 'INVALID_CREDENTIALS')).toHaveLength(10);
      expect(reasons.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(20);

      const next = await overRest(email.toUpperCase(), DEMO_PASSWORD, from);
      expect([next.status, Number(next.retryAfter) > 800]).toEqual([429, true]);
      expect(checked()).toEqual([]);
    },
  );

  it('is separate from that of staff: guesses at the shop block no login of staff', async () => {
    for (let index = 0; index < 12; index++) await overRest('orgadmin@acme.test', 'Wrong-password-1', '198.51.100.1');
    const { access_token } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    expect(access_token).toEqual(expect.any(String));
  });
});
