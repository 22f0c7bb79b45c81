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

/** Every documented REST path that runs a GraphQL operation; the few that carry bytes belong to their subgraph. */
export const routes: readonly Route[] = [
  ...sessions,
  ...identity,
  ...organizations,
  ...members,
  ...workspaceRoutes,
  ...teamRoutes,
  ...roleRoutes,
  ...supersededTenancy,
  ...invitations,
  ...passwords,
  ...selfSignup,
  ...emailProfiles,
  ...internal,
  ...internalOfCore,
  ...orders,
  ...payments,
  ...customers,
  ...campaigns,
  ...advertisingTickets,
  ...notifications,
  ...media,
  ...channels,
  ...nodes,
];
