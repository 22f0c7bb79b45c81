import { dayColumn } from '../units/calendar.ts';
import type { AdvertisingTicketResolvers, MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createAdvertisingTicket } from './create-advertising-ticket.ts';
import { deleteAdvertisingTicket } from './delete-advertising-ticket.ts';
import {
  listAdvertisingTickets,
  listManagedAdvertisingTickets,
  pageManagedAdvertisingTickets,
} from './list-advertising-tickets.ts';
import { updateAdvertisingTicket } from './update-advertising-ticket.ts';

export const Query = {
  advertisingTickets: (_parent, { organizationId }, context) => listAdvertisingTickets(context, organizationId),
  managedAdvertisingTickets: (_parent, { all }, context) => listManagedAdvertisingTickets(context, all ?? false),
  managedAdvertisingTicketConnection: (_parent, { all, ...page }, context) =>
    pageManagedAdvertisingTickets(context, { ...page, all: all ?? false }),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createAdvertisingTicket: (_parent, args, context) => createAdvertisingTicket(context, args),
  updateAdvertisingTicket: (_parent, args, context) => updateAdvertisingTicket(context, args),
  deleteAdvertisingTicket: (_parent, args, context) => deleteAdvertisingTicket(context, args.advertisingTicketId),
} satisfies Partial<MutationResolvers>;

export const AdvertisingTicket = {
  advertisingTicketId: ({ advertisingTicketId }) => String(advertisingTicketId),
  image: ({ imageMediaId }) => (imageMediaId === null ? null : { id: String(imageMediaId) }),
  activeStartDate: ({ activeStartDate }) => activeStartDate && dayColumn(activeStartDate),
  activeEndDate: ({ activeEndDate }) => activeEndDate && dayColumn(activeEndDate),
} satisfies Partial<AdvertisingTicketResolvers>;
