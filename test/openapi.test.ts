import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from './support/json.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { DEMO_PASSWORD, send, logIn, logInCustomer } from './support/fixtures/people.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';

let server: SharedServer;
let document: Json;
let ajv: Ajv2020;
let admin: Record<string, string>;
let owner: Record<string, string>;
let customer: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  document = (await send(server, 'GET', '/openapi.json')).json;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  admin = (await logIn(server, 'orgadmin@acme.test', 'ACME')).headers;
  owner = (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers;
  customer = (await logInCustomer(server)).headers;
});

interface Operation {
  key: string;
  operation: Json;
}

const operations = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
  );

/** The errors of ajv for a value, by the schema at this place of the document. */
function wrongWith(value: unknown, ...place: string[]): unknown {
  const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (!validate) return `the document has no ${place.join(' ')}`;
  return validate(value) ? undefined : validate.errors;
}

describe('the document of the REST routes', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  });

  it('describes exactly the mounted routes', () => {
    expect(document['x-undescribed']).toEqual([]);
    expect(document['x-not-mounted']).toEqual([]);
    expect(operations().length).toBeGreaterThan(150);
  });

  it('describes the purpose, the callers and the answers of every operation', () => {
    const tags = new Set(document.tags.map(({ name }: Json) => name));
    const silent = operations().filter(
      ({ operation: { summary, security, responses, tags: own } }) =>
        !summary || !security || Object.keys(responses).length === 0 || !tags.has(own[0]),
    );
    expect(silent.map(({ key }) => key)).toEqual([]);
  });

  it('names the parameters of each path', () => {
    for (const { key, operation } of operations()) {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)]
        .map(([, name = '']) => name)
        .toSorted((one, other) => one.localeCompare(other));
      const named = (operation.parameters ?? [])
        .filter((each: Json) => each.in === 'path')
        .map((each: Json) => each.name);
      expect({ key, named: named.toSorted((one: string, other: string) => one.localeCompare(other)) }).toEqual({
        key,
        named: inPath,
      });
    }
  });

  it('shows numbers where the documents have numbers, and no bounds that only the language has', () => {
    const text = JSON.stringify(document.paths);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const { parameters } = document.paths['/api/media/{id}'].get;
    expect(parameters.find(({ name }: Json) => name === 'id').schema).toEqual({
      type: 'integer',
      format: 'int64',
      minimum: 0,
    });
  });

  it('gives no example that changes the password of a demo account', () => {
    const bodies = operations().filter(({ operation }) => JSON.stringify(operation).includes('new_password'));
    expect(bodies.length).toBeGreaterThan(0);
    for (const { operation } of bodies)
      expect(operation.requestBody.content['application/json'].example?.current_password).not.toBe(DEMO_PASSWORD);
  });

  it('marks superseded routes, with their successors', () => {
    const superseded = operations().filter(({ operation }) => operation.tags[0] === 'Superseded shapes');
    expect(superseded.length).toBeGreaterThan(20);
    for (const { operation } of superseded) {
      expect(operation.deprecated).toBe(true);
      expect(operation.description).toMatch(/Superseded by `\//);
    }
  });

  it('shows an example of every body, which its own schema allows', () => {
    const shown = operations().flatMap(({ key, operation }) =>
      Object.entries<Json>(operation.requestBody?.content ?? {})
        .filter(([, media]) => 'example' in media)
        .map(([type, { example }]) => ({ key, type, example })),
    );
    const without = operations().filter(({ operation }) => {
      const json = operation.requestBody?.content['application/json'];
      return json && !('example' in json);
    });
    expect(without.map(({ key }) => key)).toEqual([]);
    for (const { key, type, example } of shown) {
      const [method = '', path = ''] = key.split(' ');
      const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
      expect({ key, wrong: wrongWith(example, ...place) }).toEqual({ key, wrong: undefined });
    }
  });

  it('names only refusals of the code', () => {
    const source = globSync('{subgraphs,gateway,rest-compat}/*/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    for (const { key, operation } of operations()) {
      for (const [status, { description }] of Object.entries<Json>(operation.responses)) {
        for (const [, code = ''] of description?.matchAll(/`([A-Z_]{4,})`/g) ?? []) {
          const known = source.includes(`'${code}'`) || code.endsWith('_NOT_FOUND');
          expect({ key, status, code, known }).toMatchObject({ known: true });
        }
      }
    }
  });
});

const root = join(import.meta.dirname, '..');
const acme = '0a0c0000-0000-4000-8000-000000000001';
const place = '0a0c0000-0000-4000-8000-000000000101';
const team = '0a0c0000-0000-4000-8000-000000000201';
const tenancy = '/api/v1/tenancy/organizations/{orgId}';

/** The calls: path as in the document, caller and input. */
interface Call {
  key: string;
  as?: () => Record<string, string>;
  at?: Record<string, string>;
  query?: string;
  body?: 'example' | object;
  headers?: Record<string, string>;
  status?: number;
}

const service = () => ({ 'x-internal-token': INTERNAL_PSK });
const asAdmin = () => admin;
const asOwner = () => owner;
const asCustomer = () => customer;
const ofAcme = { orgId: acme };

const calls: Call[] = [
  { key: 'POST /api/v1/login', body: 'example' },
  { key: 'POST /api/v1/login', body: 'example', headers: { 'service-platform': 'mobile' } },
  { key: 'POST /api/v1/login', body: { username: 'nobody', password: 'x', company_code: 'ACME' }, status: 401 },
  { key: 'GET /api/v1/sessions', as: asAdmin },
  { key: 'GET /sessions', as: asAdmin },
  { key: 'GET /api/v1/identity/users/me', as: asAdmin },
  { key: 'GET /api/v1/identity/users/me', as: asOwner },
  { key: 'GET /api/v1/identity/users/me', status: 401 },
  { key: 'GET /api/v1/tenancy/permissions/catalog', as: asAdmin },
  { key: 'GET /api/v1/tenancy/organizations', as: asOwner },
  { key: 'POST /api/v1/tenancy/organizations', as: asOwner, body: 'example', status: 201 },
  { key: 'PUT /api/v1/tenancy/organizations/{orgId}/status', as: asOwner, at: ofAcme, body: 'example' },
  { key: 'PUT /api/v1/tenancy/organizations/{orgId}/apps', as: asOwner, at: ofAcme, body: 'example' },
  { key: 'GET /api/v1/tenancy/apps', as: asOwner },
  { key: `GET ${tenancy}/apps`, as: asAdmin, at: ofAcme },
  { key: `GET ${tenancy}/users`, as: asAdmin, at: ofAcme },
  { key: `GET ${tenancy}/roles`, as: asAdmin, at: ofAcme },
  { key: `POST ${tenancy}/roles`, as: asAdmin, at: ofAcme, body: 'example', status: 201 },
  { key: `GET ${tenancy}/roles-matrix`, as: asAdmin, at: ofAcme },
  { key: `GET ${tenancy}/roles/{id}/members`, as: asAdmin, at: { ...ofAcme, id: 'ORG_MEMBER' } },
  { key: `GET ${tenancy}/workspaces`, as: asAdmin, at: ofAcme },
  { key: `POST ${tenancy}/workspaces`, as: asAdmin, at: ofAcme, body: 'example', status: 201 },
  { key: `PATCH ${tenancy}/workspaces/{wid}`, as: asAdmin, at: { ...ofAcme, wid: place }, body: 'example' },
  { key: `PUT ${tenancy}/workspaces/{wid}/apps`, as: asAdmin, at: { ...ofAcme, wid: place }, body: 'example' },
  { key: `GET ${tenancy}/workspaces/{wid}/members`, as: asAdmin, at: { ...ofAcme, wid: place } },
  { key: `GET ${tenancy}/teams`, as: asAdmin, at: ofAcme },
  { key: `POST ${tenancy}/teams`, as: asAdmin, at: ofAcme, body: 'example', status: 201 },
  { key: `PATCH ${tenancy}/teams/{tid}`, as: asAdmin, at: { ...ofAcme, tid: team }, body: 'example' },
  {
    key: `POST ${tenancy}/teams/{tid}/workspaces`,
    as: asAdmin,
    at: { ...ofAcme, tid: team },
    body: 'example',
    status: 201,
  },
  {
    key: `PATCH ${tenancy}/teams/{tid}/workspaces/{wid}`,
    as: asAdmin,
    at: { ...ofAcme, tid: team, wid: place },
    body: 'example',
  },
  { key: `GET ${tenancy}/teams/{tid}/members`, as: asAdmin, at: { ...ofAcme, tid: team } },
  { key: `GET ${tenancy}/email-profiles`, as: asAdmin, at: ofAcme },
  { key: `POST ${tenancy}/email-profiles`, as: asAdmin, at: ofAcme, body: 'example', status: 201 },
  { key: `GET ${tenancy}/email-usages`, as: asAdmin, at: ofAcme },
  { key: `POST ${tenancy}/invitations`, as: asAdmin, at: ofAcme, body: 'example', status: 201 },
  { key: `GET ${tenancy}/users`, at: { orgId: 'no-uuid' }, as: asAdmin, status: 400 },
  { key: 'GET /roles', as: asAdmin },
  { key: 'GET /organizations/{orgId}/workspaces', as: asAdmin, at: ofAcme },
  { key: 'GET /api/v1/auth/company-codes/{companyCode}', at: { companyCode: 'ACME' } },
  { key: 'GET /api/v1/auth/company-codes/{companyCode}', at: { companyCode: 'NOBODY' }, status: 404 },
  { key: 'GET /auth/magic-link/status', query: '?token=unknown' },
  { key: 'POST /api/v1/auth/password-reset/request', body: 'example' },
  { key: 'POST /api/v1/auth/self-signup/code', body: 'example' },
  { key: 'GET /api/v1/internal/health', as: service },
  { key: 'GET /api/v1/internal/health', status: 401 },
  { key: 'GET /api/v1/internal/platform/users', as: service },
  { key: 'POST /api/v1/internal/organizations', as: service, body: 'example' },
  { key: 'POST /api/v1/internal/email/password-reset', as: service, body: 'example' },
  { key: 'GET /api/v1/internal/orgs/{id}', as: service, at: { id: acme } },
  { key: 'GET /api/v1/internal/orgs/{id}/users', as: service, at: { id: acme } },
  { key: 'GET /api/v1/internal/platform/orgs', as: service, status: 501 },
  { key: 'POST /api/v1/internal/platform/reconcile', as: service, query: '?dry_run=true' },
  { key: 'POST /auth/login', body: 'example' },
  { key: 'POST /auth/register', body: 'example', status: 201 },
  { key: 'GET /api/orderTicketGroups', as: asCustomer },
  { key: 'POST /api/orderTicketGroup', as: asCustomer, body: 'example' },
  { key: 'POST /api/orderTicketGroup/free', as: asCustomer, body: 'example' },
  { key: 'GET /api/orderTicketGroups/management', as: asAdmin },
  { key: 'GET /api/orderTicketGroup', query: '?orderNo=NOBODY', status: 404 },
  { key: 'POST /payment/generateToken', body: {} },
  { key: 'POST /payment/bankList', body: 'example' },
  { key: 'GET /api/v1/campaigns', as: asAdmin, headers: { 'x-organization-id': acme } },
  { key: 'POST /api/v1/campaigns', as: asAdmin, headers: { 'x-organization-id': acme }, body: 'example', status: 201 },
  { key: 'GET /api/advertisingTickets', as: asAdmin },
  { key: 'POST /api/advertisingTickets', as: asAdmin, body: 'example', status: 201 },
  { key: 'PUT /api/advertisingTickets', as: asAdmin, body: 'example' },
  { key: 'DELETE /api/advertisingTickets/railMenus', as: asAdmin, body: 'example' },
  { key: 'POST /api/advertisingTickets/railMenus', as: asAdmin, body: 'example' },
  { key: 'DELETE /api/advertisingTickets', as: asAdmin, body: 'example' },
  { key: 'GET /api/notifications', as: asAdmin },
  { key: 'POST /api/media/prepare', body: 'example', status: 201 },
  { key: 'GET /api/media/' },
  { key: 'GET /api/media/{id}', at: { id: 'made' } },
  { key: 'GET /api/media/{id}', at: { id: '999999' }, status: 404 },
  { key: 'GET /api/media/folders' },
  { key: 'GET /api/media/tenants' },
  { key: 'GET /api/media/transcoding-profiles' },
  { key: 'GET /channels' },
  { key: 'POST /channels', body: 'example', status: 201 },
  { key: 'PUT /channels/{id}', at: { id: 'made' }, body: 'example' },
  { key: 'GET /streamers' },
  { key: 'POST /streamers', body: 'example', status: 201 },
  { key: 'PUT /streamers/{id}', at: { id: 'made' }, body: 'example' },
  { key: 'POST /caches', body: 'example', status: 201 },
  { key: 'PUT /caches/{id}', at: { id: 'made' }, body: 'example' },
  { key: 'POST /load-balancers', body: 'example', status: 201 },
  { key: 'PUT /load-balancers/{id}', at: { id: 'made' }, body: 'example' },
  { key: 'POST /streamers/{id}/ping', at: { id: '1' } },
  { key: 'GET /caches' },
  { key: 'GET /load-balancers' },
  { key: 'GET /.well-known/jwks.json' },
  { key: 'GET /.well-known/ticket-keys.json' },
  { key: 'GET /health/ready' },
];

/** The id of the record that the last POST to a path created, or that a list of media named first. */
const made = new Map<string, string>();

describe('an answer matches the document', () => {
  it.each(calls)('$key', async ({ key, as, at = {}, query = '', body, headers, status = 200 }) => {
    const [method = '', path = ''] = key.split(' ');
    const operation = document.paths[path][method.toLowerCase()];
    const example = operation.requestBody?.content['application/json'].example;
    const answer = await send(
      server,
      method,
      path.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
        at[name] === 'made' ? (made.get(path.replace('/{id}', '')) ?? '') : (at[name] ?? name),
      ) + query,
      {
        headers: { ...as?.(), ...headers },
        body: body === 'example' ? example : body,
      },
    );

    expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
    const listed = path === '/api/media/' && answer.json?.data?.[0]?.id;
    if (listed) made.set('/api/media', String(listed));
    if (answer.json?.data?.id) made.set(path, String(answer.json.data.id));
    const own = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    const schema = status < 400 ? own : ['components', 'schemas', 'Error'];
    expect(wrongWith(answer.json, ...schema)).toBeUndefined();
    expect(operation.responses).toHaveProperty(String(status));
  });
});
