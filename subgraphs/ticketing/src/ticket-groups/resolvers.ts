import { dayColumn } from '../units/calendar.ts';
import type {
  QueryResolvers,
  SubscriptionResolvers,
  TicketGroupResolvers,
  MutationResolvers,
} from '../generated/graphql.ts';
import { findTicketGroup, findTicketGroups } from './find-ticket-groups.ts';
import { quoteOrder } from './quote-order.ts';
import type { DayAvailability } from '../catalogue/availability.ts';
import { readAvailability } from './read-availability.ts';
import { updateTicketGroup } from './update-ticket-group.ts';
import { variantsOf } from './variants-of.ts';
import { watchAvailability } from './watch-availability.ts';
import { createTicketGroup } from './create-ticket-group.ts';
import { deleteTicketGroup } from './delete-ticket-group.ts';
import { mayCatalogue } from './find-managed-ticket-group.ts';
import { listManagedTicketGroups } from './list-managed-ticket-groups.ts';

export const Query = {
  ticketGroups: (_parent, args, context) => findTicketGroups(context, args),
  ticketGroup: (_parent, { ticketGroupId }, context) => findTicketGroup(context, ticketGroupId),
  managedTicketGroups: (_parent, args, context) => listManagedTicketGroups(context, args),
  quote: (_parent, { input }, context) => quoteOrder(context, input),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createTicketGroup: (_parent, args, context) => createTicketGroup(context, args),
  updateTicketGroup: (_parent, args, context) => updateTicketGroup(context, args),
  deleteTicketGroup: (_parent, { ticketGroupId }, context) => deleteTicketGroup(context, ticketGroupId),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  availabilityChanged: {
    subscribe: (_parent, args, context) => watchAvailability(context, args),
    resolve: (days: DayAvailability[]) => days,
  },
} satisfies Partial<SubscriptionResolvers>;

export const TicketGroup = {
  ticketGroupId: ({ ticketGroupId }) => String(ticketGroupId),
  activeStartDate: ({ activeStartDate }) => activeStartDate && dayColumn(activeStartDate),
  activeEndDate: ({ activeEndDate }) => activeEndDate && dayColumn(activeEndDate),
  organization: ({ organizationId }) => ({ id: organizationId }),
  workspace: ({ workspaceId }) => ({ id: workspaceId }),
  image: ({ imageMediaId }) => (imageMediaId === null ? null : { id: String(imageMediaId) }),
  dailyCapacity: async (group, _args, context) =>
    (await mayCatalogue(context, group, 'catalogue:view')) ? group.dailyCapacity : null,
  variants: (group, { all }, context) => variantsOf(context, group, all ?? false),
  availability: (group, range, context) => readAvailability(context, group, range),
} satisfies TicketGroupResolvers;
