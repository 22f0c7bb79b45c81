import { demo } from '@foyer/shared/demo';

/** Values that the demo world knows. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  orgId: demo.acme.organizationId,
  wid: demo.acme.workspaceId,
  workspaceId: demo.acme.workspaceId,
  tid: demo.acme.teamId,
  id: '1',
  companyCode: demo.acme.companyCode,
  usage: 'user_invite',
  'x-organization-id': demo.acme.organizationId,
};

const invitation = { username: 'mei', given_name: 'Mei', family_name: 'Lim', email: 'mei@acme.test' };
const order = {
  langChosen: 'EN',
  ticketGroupId: '1',
  buyerName: 'Siti',
  buyerEmail: 'siti@example.test',
  admitDate: '2030-01-15',
  items: [{ itemId: 'ADULT', quantityBought: 2 }],
};
const organization = {
  name: 'Kampung Tours',
  company_code: 'KAMPUNG',
  admin: { username: 'aisyah', email: 'aisyah@kampung.test', password: 'A-first-secret-1' },
};
const application = {
  organization_name: 'Kampung Tours',
  company_code: 'KAMPUNG',
  email: 'aisyah@kampung.test',
  code: '123456',
  given_name: 'Aisyah',
  family_name: 'Rahman',
};
const campaign = {
  name: 'School holidays',
  targetGroupId: '0a0c0000-0000-4000-8000-000000000301',
  status: 'draft',
  startDate: '2030-03-01T00:00:00Z',
  endDate: '2030-03-31T00:00:00Z',
};
const node = { name: 'Streamer in the basement', host: 'streamer.example', httpPort: 8080, apiPort: 8081 };
const customer = { email: 'customer@foyer.test', password: 'Foyer-demo-1' };

/** Bodies that the embedded world understands, by route. Where there is none, the schema says enough. */
export const bodyExamples: Readonly<Record<string, unknown>> = {
  'POST /api/v1/login': { username: 'orgadmin@acme.test', password: 'Foyer-demo-1', company_code: 'ACME' },
  'POST /api/v1/refresh': { client_type: 'web' },
  'POST /api/v1/auth/password-reset/request': { email: 'member@acme.test', company_code: 'ACME' },
  'POST /api/v1/auth/self-signup/code': { email: 'aisyah@kampung.test' },
  'POST /api/v1/auth/self-signup': application,
  'POST /api/v1/internal/platform/orgs/self-signup': application,
  'POST /api/v1/tenancy/organizations': organization,
  'POST /api/v1/internal/platform/orgs': organization,
  'POST /api/v1/tenancy/organizations/{orgId}/invitations': invitation,
  'POST /api/v1/internal/orgs/{id}/users/invite': invitation,
  'POST /api/v1/tenancy/organizations/{orgId}/workspaces': { name: 'Night market', description: 'Friday evenings' },
  'POST /api/v1/tenancy/organizations/{orgId}/teams': { name: 'Box office', description: 'Who sells at the door' },
  'POST /api/v1/tenancy/organizations/{orgId}/roles': {
    name: 'Publisher',
    scope: 'workspace',
    permissions: ['media:view', 'media:upload'],
  },
  'PUT /api/v1/tenancy/organizations/{orgId}/status': { status: 'active' },
  'POST /auth/login': customer,
  'POST /auth/register': { ...customer, email: 'siti@example.test', fullName: 'Siti binti Ahmad' },
  'POST /api/orderTicketGroup': order,
  'POST /api/orderTicketGroup/free': order,
  'POST /payment/bankList': { mode: 'individual' },
  'POST /payment/process': { orderNo: 'FYR-EXAMPLE' },
  'POST /api/v1/campaigns': campaign,
  'PUT /api/v1/campaigns/{campaignId}': campaign,
  'POST /api/advertisingTickets': { advertisementType: 'brandImage', titleEn: 'Rooftop cinema', isActive: true },
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
  'POST /channels': { name: 'Lobby', sourceType: 'rtmp', origins: [{ streamerId: 1 }] },
  'POST /streamers': node,
  'POST /caches': { ...node, name: 'Cache in the basement' },
  'POST /load-balancers': { ...node, name: 'Balancer in the basement' },
};
