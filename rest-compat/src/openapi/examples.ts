import { demo } from '@foyer/shared/demo';

/** Values from the demo data. */
const parameterExamples: Readonly<Record<string, unknown>> = {
  orgId: demo.acme.organizationId,
  wid: demo.acme.workspaceId,
  workspaceId: demo.acme.workspaceId,
  tid: demo.acme.teamId,
  id: '1',
  companyCode: demo.acme.companyCode,
  usage: 'user_invite',
  campaignId: '0a0c0000-0000-4000-8000-000000000401',
  'x-organization-id': demo.acme.organizationId,
};

const people = '`GET /api/v1/tenancy/organizations/{orgId}/users`';

/** Values for a parameter on particular routes, where the demo data has another value, or none. */
const particular: readonly { name: string; on: RegExp; example?: string; description?: string }[] = [
  { name: 'id', on: /\/internal\/(platform\/)?orgs\/\{id\}/, example: demo.acme.organizationId },
  { name: 'id', on: /\/roles\/\{id\}\/members$/, example: 'ORG_MEMBER' },
  {
    name: 'id',
    on: /\/roles\/\{id\}$/,
    description: 'A role that the organization has made: `GET …/roles` shows them.',
  },
  { name: 'id', on: /\/sessions\/\{id\}/, description: '`GET /api/v1/sessions` shows them.' },
  { name: 'id', on: /\/users\/\{id\}/, description: `Of a person: ${people} shows them.` },
  { name: 'uid', on: /\{uid\}/, description: `Of a person: ${people} shows them.` },
  { name: 'profileId', on: /\{profileId\}/, description: '`GET …/email-profiles` shows them.' },
];

/** Returns a value for a parameter, or words that say where to find one. */
export function parameterHelp(route: string, name: string): { example?: unknown; description?: string } {
  const found = particular.find((each) => each.name === name && each.on.test(route));
  if (found?.description) return { description: found.description };
  if (found) return { example: found.example };
  return name in parameterExamples ? { example: parameterExamples[name] } : {};
}

/** A user name that is free. Ids of users are generated at the first start. */
const somebody = '0a0c0000-0000-4000-8000-000000000999';
const DAY_MS = 86_400_000;
const inAWeek = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);

/** Whom another example invites: examples about passwords are about nobody of the demo data. */
const invitation = { username: 'mei', given_name: 'Mei', family_name: 'Lim', email: 'mei@acme.test' };
const ravi = { username: 'ravi', given_name: 'Ravi', family_name: 'Pillai', email: 'ravi@acme.test' };
const farid = { username: 'farid', given_name: 'Farid', family_name: 'Osman', email: 'farid@acme.test' };
const order = {
  langChosen: 'EN',
  ticketGroupId: 1,
  buyerName: 'Siti',
  buyerEmail: 'siti@example.test',
  admitDate: inAWeek,
  items: [{ itemId: 'MUSEUM-ADULT', quantityBought: 2 }],
};
const freeOrder = { ...order, ticketGroupId: 3, items: [{ itemId: 'OPEN-VISITOR', quantityBought: 2 }] };
const organization = {
  name: 'Kampung Tours',
  company_code: 'KAMPUNG',
  app_ids: ['ticketing'],
  admin: { username: 'aisyah', email: 'aisyah@kampung.test', password: 'A-first-secret-1' },
};
const anotherOrganization = {
  name: 'Langkawi Boats',
  company_code: 'LANGKAWI',
  app_ids: ['ticketing'],
  admin: { username: 'halim', email: 'halim@langkawi.test', password: 'A-first-secret-1' },
};
const application = {
  organization_name: 'Melaka Walks',
  company_code: 'MELAKA',
  email: 'nora@melaka.test',
  code: '123456',
  given_name: 'Nora',
  family_name: 'Ismail',
};
const campaign = {
  name: 'School holidays',
  targetGroupId: '0a0c0000-0000-4000-8000-000000000301',
  status: 'draft',
  startDate: '2030-03-01T00:00:00Z',
  endDate: '2030-03-31T00:00:00Z',
};
const node = { name: 'Streamer in the basement', host: 'streamer.example', httpPort: 8080, apiPort: 8081 };
const profile = {
  name: 'Box office',
  from_name: 'Acme',
  from_address: 'tickets@acme.test',
  server: { host: 'smtp.acme.test', port: 587, tls: true, username: null, password: null },
};
const advertisement = { advertisementType: 'brandImage', titleEn: 'Rooftop cinema', isActive: true };
const assignment = { railMenuId: 1, advertisingTicketId: 1 };
const customer = { email: 'customer@foyer.test', password: 'Foyer-demo-1' };

/**
 * Values that the example of a route can't know, and where to find them. Everything else can be sent as it is
 * (test/openapi-examples.test.ts does).
 */
export const toPutIn: Readonly<Record<string, string>> = {
  'POST /api/v1/auth/self-signup': 'the `code` from the mail',
  'POST /api/v1/internal/platform/orgs/self-signup': 'the `code` from the mail',
  'POST /auth/magic-link/redeem': 'the `token` from the mail',
  'POST /api/v1/auth/magic-link/redeem': 'the `token` from the mail',
  'POST /api/v1/auth/password-reset/confirm': 'the `token` from the mail',
  'POST /api/v1/protected/password': 'your own passwords: the demo accounts keep theirs',
  ...Object.fromEntries(
    ['teams/{tid}', 'workspaces/{wid}'].flatMap((place) =>
      ['POST', 'PATCH', 'DELETE'].map((method) => [
        `${method} /api/v1/tenancy/organizations/{orgId}/${place}/members`,
        `a person's id as \`user_id\` (${people})`,
      ]),
    ),
  ),
  'PUT /api/v1/tenancy/organizations/{orgId}/email-usages/{usage}':
    "a profile's id as `profile_id` (`GET …/email-profiles`)",
  'POST /payment/process': 'the `orderNo` of an order that is not paid (`POST /api/orderTicketGroup`)',
};

/** Bodies that work with the embedded services, by route; some have placeholders. */
export const bodyExamples: Readonly<Record<string, unknown>> = {
  'POST /api/v1/login': { username: 'orgadmin@acme.test', password: 'Foyer-demo-1', company_code: 'ACME' },
  'POST /api/v1/refresh': { client_type: 'web' },
  'POST /api/v1/auth/password-reset/request': { email: invitation.email, company_code: 'ACME' },
  'POST /api/v1/auth/self-signup/code': { email: application.email },
  'POST /api/v1/auth/self-signup': application,
  'POST /api/v1/internal/platform/orgs/self-signup': application,
  'POST /api/v1/tenancy/organizations': organization,
  'POST /api/v1/internal/platform/orgs': anotherOrganization,
  'POST /api/v1/tenancy/organizations/{orgId}/invitations': invitation,
  'POST /api/v1/internal/orgs/{id}/users/invite': ravi,
  'POST /api/v1/tenancy/organizations/{orgId}/workspaces': { name: 'Night market', description: 'Friday evenings' },
  'POST /api/v1/tenancy/organizations/{orgId}/teams': { name: 'Box office', description: 'Who sells at the door' },
  'POST /api/v1/tenancy/organizations/{orgId}/roles': {
    name: 'Publisher',
    scope: 'workspace',
    permissions: ['media:view', 'media:upload'],
  },
  'PUT /api/v1/tenancy/organizations/{orgId}/status': { status: 'active' },
  'PUT /api/v1/tenancy/organizations/{orgId}/apps': { app_ids: ['ticketing', 'media'] },
  'PATCH /api/v1/tenancy/organizations/{orgId}/users/{uid}/role': { role: 'ORG_MEMBER' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/users/{uid}/status': { status: 'active' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}': { description: 'Where Acme sells and shows' },
  'PUT /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}/apps': { app_ids: ['ticketing', 'media'] },
  'POST /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}/members': { user_id: somebody, role: 'VIEWER' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}/members/{uid}': { role: 'VIEWER' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}/members': { user_id: somebody, role: 'VIEWER' },
  'DELETE /api/v1/tenancy/organizations/{orgId}/workspaces/{wid}/members': { user_id: somebody },
  'PATCH /api/v1/tenancy/organizations/{orgId}/teams/{tid}': { description: 'Who sells at the door' },
  'POST /api/v1/tenancy/organizations/{orgId}/teams/{tid}/members': { user_id: somebody },
  'PATCH /api/v1/tenancy/organizations/{orgId}/teams/{tid}/members/{uid}': { role: 'member' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/teams/{tid}/members': { user_id: somebody, role: 'member' },
  'DELETE /api/v1/tenancy/organizations/{orgId}/teams/{tid}/members': { user_id: somebody },
  'POST /api/v1/tenancy/organizations/{orgId}/teams/{tid}/workspaces': {
    workspace_id: demo.acme.studioWorkspaceId,
    role: 'VIEWER',
  },
  'PATCH /api/v1/tenancy/organizations/{orgId}/teams/{tid}/workspaces/{wid}': { role: 'VIEWER' },
  'PATCH /api/v1/tenancy/organizations/{orgId}/teams/{tid}/workspaces': {
    workspace_id: demo.acme.workspaceId,
    role: 'VIEWER',
  },
  'DELETE /api/v1/tenancy/organizations/{orgId}/teams/{tid}/workspaces': {
    workspace_id: demo.acme.studioWorkspaceId,
  },
  'PATCH /api/v1/tenancy/organizations/{orgId}/roles/{id}': { permissions: ['media:view'] },
  'PUT /api/v1/tenancy/organizations/{orgId}/roles/{id}': { permissions: ['media:view'] },
  'POST /api/v1/tenancy/organizations/{orgId}/email-profiles': profile,
  'PATCH /api/v1/tenancy/organizations/{orgId}/email-profiles/{profileId}': { from_name: 'Acme box office' },
  'PUT /api/v1/tenancy/organizations/{orgId}/email-usages/{usage}': { profile_id: somebody },
  'POST /auth/magic-link/redeem': { token: 'from-the-mail' },
  'POST /api/v1/auth/magic-link/redeem': { token: 'from-the-mail' },
  'POST /api/v1/protected/password': { current_password: 'Your-present-1', new_password: 'Your-next-2' },
  'POST /api/v1/auth/password-reset/confirm': { token: 'from-the-mail', password: 'A-second-secret-2' },
  'POST /api/v1/internal/orgs/{id}/users': { ...farid, password: 'A-first-secret-1' },
  'PUT /api/v1/internal/platform/orgs/{id}/status': { status: 'active' },
  'PUT /api/v1/internal/orgs/{id}/users/{uid}/status': { status: 'active' },
  'POST /api/v1/internal/users': {
    id: somebody,
    organization_id: demo.acme.organizationId,
    email: 'lina@acme.test',
    username: 'lina',
  },
  'POST /api/v1/internal/organizations': { id: demo.acme.organizationId, name: 'Acme' },
  'POST /api/v1/internal/email/password-reset': { email: invitation.email, company_code: 'ACME' },
  'POST /auth/login': customer,
  'POST /auth/register': { ...customer, email: 'siti@example.test', fullName: 'Siti binti Ahmad' },
  'POST /api/orderTicketGroup': order,
  'POST /api/orderTicketGroup/free': freeOrder,
  'POST /payment/bankList': { mode: 'individual' },
  'POST /payment/process': { orderNo: 'FYR-EXAMPLE' },
  'POST /api/v1/campaigns': campaign,
  'PUT /api/v1/campaigns/{campaignId}': campaign,
  'POST /api/advertisingTickets': advertisement,
  'PUT /api/advertisingTickets': { ...advertisement, advertisingTicketId: 1 },
  'DELETE /api/advertisingTickets': { advertisingTicketId: 1 },
  'POST /api/advertisingTickets/railMenus': assignment,
  'DELETE /api/advertisingTickets/railMenus': assignment,
  'PUT /api/notification': { notificationId: 1, isRead: true },
  'POST /api/media/prepare': {
    title: 'My video',
    mediaType: 'video',
    mimeType: 'video/mp4',
    fileSize: 1_048_576,
    originalName: 'video.mp4',
    fileName: 'video.mp4',
    tenant: 'acme',
    folder: 'videos',
  },
  'POST /channels': {
    name: 'Lobby',
    sourceType: 'udp',
    origins: [{ streamerId: 1, ingestUrl: 'udp://239.0.0.1:5000' }],
  },
  'PUT /channels/{id}': { name: 'Lobby' },
  'POST /streamers': node,
  'PUT /streamers/{id}': { name: 'Streamer in the attic' },
  'PUT /caches/{id}': { name: 'Cache in the attic' },
  'PUT /load-balancers/{id}': { name: 'Balancer in the attic' },
  'POST /caches': { ...node, name: 'Cache in the basement' },
  'POST /load-balancers': { ...node, name: 'Balancer in the basement' },
};
