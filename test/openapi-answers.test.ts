import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from './support/json.ts';
import { INTERNAL_PSK } from './support/fixtures/organization.ts';
import { send, logIn, logInCustomer } from './support/fixtures/people.ts';
import { schemaCheck, type SchemaCheck } from './support/openapi-schemas.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';

let server: SharedServer;
let document: Json;
let wrongWith: SchemaCheck;
let admin: Record<string, string>;
let owner: Record<string, string>;
let customer: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  document = (await send(server, 'GET', '/openapi.json')).json;
  wrongWith = schemaCheck(document);
  admin = (await logIn(server, 'orgadmin@acme.test', 'ACME')).headers;
  owner = (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers;
  customer = (await logInCustomer(server)).headers;
});

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
