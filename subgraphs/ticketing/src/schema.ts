import { buildSchema, readTypeDefs } from '@foyer/shared/graphql/subgraph';
import type { GraphQLSchema } from 'graphql';

import * as advertisingTickets from './advertising-tickets/resolvers.ts';
import * as campaigns from './campaigns/resolvers.ts';
import * as cancellations from './cancellations/resolvers.ts';
import * as checkout from './checkout/resolvers.ts';
import * as customerPasswords from './customer-passwords/resolvers.ts';
import * as customers from './customers/resolvers.ts';
import * as dailyCapacities from './daily-capacities/resolvers.ts';
import * as deliveries from './deliveries/resolvers.ts';
import type { Resolvers } from './generated/graphql.ts';
import * as notifications from './notifications/resolvers.ts';
import * as orderExports from './order-exports/resolvers.ts';
import * as orders from './orders/resolvers.ts';
import * as payments from './payments/resolvers.ts';
import * as railMenus from './rail-menus/resolvers.ts';
import * as receipts from './receipts/resolvers.ts';
import * as reviews from './reviews/resolvers.ts';
import * as targetGroups from './target-groups/resolvers.ts';
import * as ticketGroups from './ticket-groups/resolvers.ts';
import * as ticketVariants from './ticket-variants/resolvers.ts';
import * as tickets from './tickets/resolvers.ts';

/** The schema of ticketing, from its slices. */
export async function ticketingSchema(): Promise<GraphQLSchema> {
  const typeDefs = await readTypeDefs(import.meta.dirname);
  return buildSchema<Resolvers>()(
    typeDefs,
    advertisingTickets,
    campaigns,
    cancellations,
    checkout,
    customerPasswords,
    customers,
    dailyCapacities,
    deliveries,
    notifications,
    orderExports,
    orders,
    payments,
    railMenus,
    receipts,
    reviews,
    targetGroups,
    ticketGroups,
    ticketVariants,
    tickets,
  );
}
