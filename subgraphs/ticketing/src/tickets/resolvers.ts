import { dayColumn } from '../units/calendar.ts';
import type { OrderResolvers, TicketResolvers } from '../generated/graphql.ts';
import { findTickets } from './find-tickets.ts';

export const Order = {
  tickets: (order, _args, context) => findTickets(context, order),
} satisfies Partial<OrderResolvers>;

export const Ticket = {
  ticketId: ({ ticketId }) => String(ticketId),
  orderTicketInfoId: ({ orderTicketInfoId }) => String(orderTicketInfoId),
  admitDate: ({ admitDate }) => dayColumn(admitDate),
} satisfies TicketResolvers;
