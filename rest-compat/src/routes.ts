import type { Route } from './route.ts';
import { advertisingTickets } from './routes/advertising-tickets.ts';
import { campaigns } from './routes/campaigns.ts';
import { channels } from './routes/channels.ts';
import { customers } from './routes/customers.ts';
import { emailProfiles } from './routes/email-profiles.ts';
import { identity } from './routes/identity.ts';
import { internalOfCore } from './routes/internal-of-core.ts';
import { internal } from './routes/internal.ts';
import { invitations } from './routes/invitations.ts';
import { members } from './routes/members.ts';
import { media } from './routes/media.ts';
import { nodes } from './routes/nodes.ts';
import { notifications } from './routes/notifications.ts';
import { organizations } from './routes/organizations.ts';
import { orders } from './routes/orders.ts';
import { passwords } from './routes/passwords.ts';
import { payments } from './routes/payments.ts';
import { selfSignup } from './routes/self-signup.ts';
import { roleRoutes } from './routes/roles.ts';
import { supersededTenancy } from './routes/superseded-tenancy.ts';
import { teamRoutes } from './routes/teams.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import { sessions } from './routes/sessions.ts';

/** A section of the API documentation. */
interface Section {
  name: string;
  description: string;
  rows: readonly Route[];
}

/** Every documented REST path that runs a GraphQL operation. The few paths that carry bytes belong to their subgraph. */
export const sections: readonly Section[] = [
  { name: 'Sessions', description: 'Login, refresh, logout, and signed-in devices.', rows: sessions },
  { name: 'Identity', description: 'Who is signed in, and which permissions there are.', rows: identity },
  { name: 'Organizations', description: 'Organizations, and the apps they may use.', rows: organizations },
  { name: 'Members', description: 'The people of an organization.', rows: members },
  { name: 'Workspaces', description: 'The parts of an organization, and who works there.', rows: workspaceRoutes },
  { name: 'Teams', description: 'People who get their roles in workspaces together.', rows: teamRoutes },
  { name: 'Roles', description: 'Seeded and custom roles, and what they grant.', rows: roleRoutes },
  {
    name: 'Superseded shapes',
    description:
      'The paths from before `/api/v1/tenancy/organizations/{orgId}`, which answer with a Deprecation header.',
    rows: supersededTenancy,
  },
  { name: 'Invitations', description: 'Invitations by e-mail, and their links.', rows: invitations },
  { name: 'Passwords', description: 'Changed and forgotten passwords.', rows: passwords },
  { name: 'Self-signup', description: 'How an organization applies for a place by itself.', rows: selfSignup },
  { name: 'E-mail profiles', description: 'Through which mail server an organization writes.', rows: emailProfiles },
  {
    name: 'Internal',
    description:
      'For services only, by the shared secret in `X-Internal-Token`. A page of a browser is refused, this one too.',
    rows: [...internal, ...internalOfCore],
  },
  { name: 'Orders', description: 'Tickets are ordered and looked up.', rows: orders },
  {
    name: 'Payment',
    description: 'The way to the bank and back. Some of these routes are pages for a browser.',
    rows: payments,
  },
  { name: 'Customers', description: 'Customers of the storefront: their token, and their record.', rows: customers },
  { name: 'Campaigns', description: 'Advertising plans of an organization.', rows: campaigns },
  { name: 'Advertising tickets', description: 'Cards in the rails of the storefront.', rows: advertisingTickets },
  { name: 'Notifications', description: 'What staff are told.', rows: notifications },
  { name: 'Media', description: 'Uploads are prepared, and the library is read.', rows: media },
  { name: 'Channels', description: 'Live streams, each on one or more streamers.', rows: channels },
  { name: 'Nodes', description: 'Streamers, caches and load balancers.', rows: nodes },
];

export const routes: readonly Route[] = sections.flatMap(({ rows }) => rows);

/** The proxies to nodes are routes of the media subgraph, because they carry bytes, and open as well. */
const nodeProxies = ['/streamers', '/caches', '/load-balancers'].flatMap((nodes) => [
  `ANY ${nodes}/:id/proxy`,
  `ANY ${nodes}/:id/proxy/*`,
]);

/** Every route that needs no token when `REST_AUTH=documented`, but does when it is `strict`. */
export const openRoutes: readonly string[] = [
  ...routes.filter(({ token }) => token === 'needed when strict').map(({ method, url }) => `${String(method)} ${url}`),
  ...nodeProxies,
];
