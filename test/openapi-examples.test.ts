import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import { linkFor } from './support/servers/inbox.ts';
import type { Json } from './support/json.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { DEMO_PASSWORD, send, logIn, logInCustomer } from './support/fixtures/people.ts';

let server: HostedServer;
let examples: Example[];
let callers: Record<'admin' | 'customer' | 'platform' | 'service', Record<string, string>>;

beforeAll(async () => {
  server = await startServer({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK });
  examples = examplesIn((await send(server, 'GET', '/openapi.json')).json);
  callers = {
    admin: await logInByCookie('orgadmin@acme.test', 'ACME'),
    customer: (await logInCustomer(server)).headers,
    platform: await logInByCookie('admin@foyer.test', 'PLATFORM'),
    service: { 'x-internal-token': INTERNAL_PSK },
  };
});
afterAll(() => closeServer(server));

/** As the page of the routes does it. */
async function logInByCookie(username: string, company_code: string) {
  const { cookies } = await send(server, 'POST', '/api/v1/login', {
    body: { username, company_code, password: DEMO_PASSWORD },
  });
  return { cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') };
}

interface Example {
  key: string;
  operation: Json;
  body: unknown;
  /** Required parameters without a value. */
  open: Json[];
}

function examplesIn(document: Json): Example[] {
  const found = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) => {
      const media: Json = Object.values(operation.requestBody?.content ?? {})[0];
      if (media?.example === undefined) return [];
      const required: Json[] = (operation.parameters ?? []).filter((each: Json) => each.required);
      const open = required.filter(({ example, schema }) => example === undefined && schema.default === undefined);
      return [{ key: `${method.toUpperCase()} ${path}`, operation, body: media.example, open }];
    }),
  );
  return found.toSorted((one, other) => lateness(one) - lateness(other));
}

/** Destructive calls come last, wholes after their parts; and calls that end the session last of all. */
const lateness = ({ key }: Example) =>
  (key.includes('/password') ? 2_000 : 0) + (key.startsWith('DELETE') ? 1_000 - key.length : 0);

const isMarked = ({ operation, open }: Example) =>
  /Before you send the example, put in .+\./.test(operation.description ?? '') || open.length > 0;

/** Sends an example unchanged, as each caller in turn. @returns the status of each try, until one is accepted */
async function tryOut({ key, operation, body }: Example): Promise<string[]> {
  const [method = '', path = ''] = key.split(' ');
  const given: Json[] = (operation.parameters ?? []).filter(({ example }: Json) => example !== undefined);
  const valuesIn = (place: string) =>
    given.filter((each) => each.in === place).map(({ name, example }): [string, string] => [name, String(example)]);
  const place = valuesIn('path').reduce((url, [name, value]) => url.replace(`{${name}}`, value), path);
  const address = `${place}?${String(new URLSearchParams(valuesIn('query')))}`;
  const headers = Object.fromEntries(valuesIn('header'));
  const internal = operation.security.some((scheme: Json) => 'internalToken' in scheme);
  const tries: string[] = [];
  for (const who of internal ? (['service'] as const) : (['admin', 'customer', 'platform'] as const)) {
    const { status, text } = await send(server, method, address, { headers: { ...headers, ...callers[who] }, body });
    if (status < 400) return [];
    tries.push(`${who}: ${status} ${text}`);
  }
  return tries;
}

describe('the examples of the REST routes', () => {
  it('can be sent unchanged to a new server, except for those with placeholders', async () => {
    const whole = examples.filter((example) => !isMarked(example));
    const refused: Record<string, string[]> = {};
    for (const example of whole) {
      const tries = await tryOut(example);
      if (tries.length > 0) refused[example.key] = tries;
    }
    expect(refused).toEqual({});
    expect(whole.length).toBeGreaterThan(45);
  });

  it('about passwords work for the person whom another example invites, and leave the demo accounts theirs', async () => {
    const exampleOf = (name: string) => examples.find(({ key }) => key === `POST /api/v1/auth/${name}`) as Example;
    const withToken = async (name: string, path: string) => {
      const token = (await linkFor(server, 'mei@acme.test', path)).split('token=')[1];
      const example = exampleOf(name);
      return { ...example, body: { ...(example.body as Json), token } };
    };

    expect(await tryOut(await withToken('magic-link/redeem', '/auth/magic-link'))).toEqual([]);
    expect(await tryOut(exampleOf('password-reset/request'))).toEqual([]);
    // Mails of earlier examples may be the newest for a while; their links are void.
    const confirm = () => withToken('password-reset/confirm', '/reset-password');
    await expect.poll(async () => tryOut(await confirm()), { interval: 1_000 }).toEqual([]);

    const { password } = exampleOf('password-reset/confirm').body as Json;
    await logIn(server, 'mei', 'ACME', password);
    for (const name of ['orgadmin', 'member', 'viewer']) await logIn(server, `${name}@acme.test`, 'ACME');
    await logIn(server, 'admin@foyer.test', 'PLATFORM');
    await logInCustomer(server);
  });

  it('say where to find every missing value', () => {
    const silent = examples.flatMap(({ key, open }) =>
      open.filter(({ description }) => !description).map(({ name }) => `${key}: ${name}`),
    );
    expect(silent).toEqual([]);
  });
});
