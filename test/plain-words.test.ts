import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rootFields } from './support/tables/access-rules.ts';
import { exampleCall } from './support/tables/example-calls.ts';
import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import type { Json } from './support/json.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { send, logIn } from './support/fixtures/people.ts';
import { changing, documentedRoutes, type RestRoute } from './support/tables/rest-routes.ts';

let server: HostedServer;
let routes: RestRoute[];
let owner: Record<string, string>;

beforeAll(async () => {
  // A server of its own: what is sent deletes what others would still need.
  server = await startServer({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK, RATE_LIMITS: 'off', REST_RATE_LIMITS: 'off' });
  routes = await documentedRoutes(server);
  owner = (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers;
});
afterAll(() => closeServer(server));

/** The wording of zod and graphql-js. */
const library =
  /invalid (input|option|type|value|string|number)|expected|received|too (small|big)|cannot represent|variable "|was not provided|of type|unrecognized key|zod|graphql|nonnullable|undefined|NaN/i;

/** The messages of a refusal: the whole, and place by place. */
const messagesOf = ({ message, errors = [] }: Json): string[] => [message, ...errors.map((each: Json) => each.message)];

describe('an error about an input', () => {
  const bodies: readonly unknown[] = [
    {},
    [],
    'text',
    Object.fromEntries(
      [
        'name',
        'username',
        'email',
        'status',
        'role',
        'page',
        'client_type',
        'mode',
        'items',
        'fileSize',
        'isRead',
        'hosting_type',
      ].map((name) => [name, { wrong: 1 }]),
    ),
  ];

  it('is in plain words at every REST route', async () => {
    const said: Record<string, string[]> = {};
    let refused = 0;
    for (const route of changing(routes).filter(({ path }) => !path.includes('/proxy') && path !== '/graphql')) {
      for (const body of bodies) {
        for (const headers of [owner, { 'x-internal-token': INTERNAL_PSK }] as Record<string, string>[]) {
          const { status, json } = await send(server, route.method, route.path, { headers, body });
          if (status !== 400) continue;
          refused += 1;
          const wrong = messagesOf(json).filter((message) => library.test(message));
          if (wrong.length > 0) said[route.key] = wrong;
        }
      }
    }
    expect(said).toEqual({});
    expect(refused).toBeGreaterThan(100);
  });

  it('is in plain words for the query of every list, too', async () => {
    const said: Record<string, string[]> = {};
    for (const { key, path } of routes.filter(
      ({ method, path: at }) => method === 'GET' && !at.includes('/proxy') && at !== '/graphql',
    )) {
      const { status, json } = await send(
        server,
        'GET',
        `${path}?page=x&limit=0&startDate=x&ticketGroupId=x&status=x`,
        {
          headers: owner,
        },
      );
      if (status !== 400) continue;
      const wrong = messagesOf(json).filter((message) => library.test(message));
      if (wrong.length > 0) said[key] = wrong;
    }
    expect(said).toEqual({});
  });

  it('is in plain words for every variable of every operation', async () => {
    const said: Record<string, string[]> = {};
    let refused = 0;
    for (const field of rootFields.filter(({ type }) => type !== 'Subscription')) {
      const { query, variables } = exampleCall(field, {});
      for (const name of Object.keys(variables)) {
        for (const wrong of [null, { wrong: 1 }, 1.5]) {
          const { json } = await send(server, 'POST', '/graphql', {
            body: { query, variables: { ...variables, [name]: wrong } },
          });
          const [error] = json.errors ?? [];
          if (error?.extensions.reason !== 'VALIDATION_FAILED') continue;
          refused += 1;
          const bad = messagesOf({ message: error.message, errors: error.extensions.errors }).filter((message) =>
            library.test(message),
          );
          if (bad.length > 0) said[`${field.name}(${name})`] = bad;
        }
      }
    }
    expect(said).toEqual({});
    expect(refused).toBeGreaterThan(300);
  });

  it('is a sentence that names the place', async () => {
    const { json } = await send(server, 'POST', '/api/media/prepare', {
      body: { title: 'A', fileSize: 1, originalName: 'a.txt' },
    });
    expect(json).toMatchObject({ code: 'VALIDATION_FAILED', message: 'fileName is missing.' });
  });
});

describe('POST /api/v1/refresh', () => {
  it.each([[{}], [{ refresh_token: 'x' }], [undefined]])(
    'without client_type is CLIENT_TYPE_REQUIRED: %j',
    async (body) => {
      const { status, json } = await send(server, 'POST', '/api/v1/refresh', { body });
      expect([status, json.code]).toEqual([400, 'CLIENT_TYPE_REQUIRED']);
    },
  );

  it('with another client_type names the valid ones', async () => {
    const { status, json } = await send(server, 'POST', '/api/v1/refresh', { body: { client_type: 'tv' } });
    expect([status, json.code, json.message]).toEqual([400, 'VALIDATION_FAILED', 'client_type must be web or mobile.']);
  });
});
