import type { Route } from './route.ts';
import { advertisingTickets } from './routes/advertising-tickets.ts';
import { campaigns } from './routes/campaigns.ts';
import { channels } from './routes/channels.ts';
import { customers } from './routes/customers.ts';
import { identity } from './routes/identity.ts';
import { internal } from './routes/internal.ts';
import { media } from './routes/media.ts';
import { nodes } from './routes/nodes.ts';
import { notifications } from './routes/notifications.ts';
import { orders } from './routes/orders.ts';
import { payments } from './routes/payments.ts';
import { sessions } from './routes/sessions.ts';

/** Every documented REST path that runs a GraphQL operation; the few that carry bytes belong to their subgraph. */
export const routes: readonly Route[] = [
  ...sessions,
  ...identity,
  ...internal,
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
