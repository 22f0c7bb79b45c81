import { dayColumn } from '../calendar.ts';
import type {
  QueryResolvers,
  SubscriptionResolvers,
  TicketGroupResolvers,
  TicketVariantResolvers,
} from '../generated/graphql.ts';
import { ringgit } from '../money.ts';
import { findTicketGroup, findTicketGroups } from './find-ticket-groups.ts';
import { quoteOrder } from './quote-order.ts';
import type { DayAvailability } from './availability.ts';
import { readAvailability } from './read-availability.ts';
import { watchAvailability } from './watch-availability.ts';

export const Query = {
  ticketGroups: (_parent, args, context) => findTicketGroups(context, args),
  ticketGroup: (_parent, { ticketGroupId }, context) => findTicketGroup(context, ticketGroupId),
  quote: (_parent, { input }, context) => quoteOrder(context, input),
} satisfies Partial<QueryResolvers>;

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
  variants: ({ ticketGroupId }, _args, { db }) =>
    db.ticketVariant.findMany({ where: { ticketGroupId, isActive: true }, orderBy: { sort: 'asc' } }),
  availability: (group, range, context) => readAvailability(context, group, range),
} satisfies TicketGroupResolvers;

export const TicketVariant = {
  ticketVariantId: ({ ticketVariantId }) => String(ticketVariantId),
  unitPrice: ({ unitPriceSen }) => ringgit(unitPriceSen),
} satisfies TicketVariantResolvers;
