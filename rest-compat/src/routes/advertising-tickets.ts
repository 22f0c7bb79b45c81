import { z } from 'zod';

import { AdvertisingTicket, advertisingTicket } from '../answers/advertising-tickets.ts';
import { Done, done, nodes, okOf } from '../answers/envelope.ts';
import {
  AdvertisingTicketsDocument,
  AssignToRailMenuDocument,
  CreateAdvertisingTicketDocument,
  DeleteAdvertisingTicketDocument,
  UnassignFromRailMenuDocument,
  UpdateAdvertisingTicketDocument,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, pageArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';

const text = z.string().max(20_000).optional();
const fields = z.object({
  advertisementType: z.enum(['brandImage', 'coupon', 'editorial', 'typographic']),
  advertiser: text,
  color: z.string().min(1).max(20_000).optional(), // a card always has one: a blank does not clear it
  placement: z.int().optional(),
  titleBm: text,
  titleEn: text,
  titleCn: text,
  headerBm: text,
  headerEn: text,
  headerCn: text,
  descBm: text,
  descEn: text,
  descCn: text,
  actionButton: text,
  redirectUrl: text,
  imageUrl: text,
  activeStartDate: z.string().max(10).nullish(),
  activeEndDate: z.string().max(10).nullish(),
  isActive: z.boolean().optional(),
});
const assignment = z.object({
  body: z.object({ railMenuId: documentedId, advertisingTicketId: documentedId }).meta({ id: 'AssignRailMenuInput' }),
});

/** Spec 2, "Advertising tickets". */
export const advertisingTickets = [
  route('GET', '/api/advertisingTickets', {
    document: AdvertisingTicketsDocument,
    input: z.object({ query: OptionalPagination }),
    variables: ({ query }) => pageArguments(query),
    atMost: 1_000, // a card may have long texts
    answer: z.array(AdvertisingTicket),
    reply: ({ managedAdvertisingTicketConnection: shown }) => nodes(shown, advertisingTicket),
  }),

  route('POST', '/api/advertisingTickets', {
    document: CreateAdvertisingTicketDocument,
    input: z.object({ body: fields }),
    variables: ({ body }) => ({ input: body }),
    answer: AdvertisingTicket,
    reply: ({ createAdvertisingTicket }) => advertisingTicket(createAdvertisingTicket),
    status: 201,
  }),

  route('PUT', '/api/advertisingTickets', {
    document: UpdateAdvertisingTicketDocument,
    input: z.object({ body: fields.extend({ advertisingTicketId: documentedId }) }),
    variables: ({ body: { advertisingTicketId, ...input } }) => ({ advertisingTicketId, input }),
    answer: AdvertisingTicket,
    reply: ({ updateAdvertisingTicket }) => advertisingTicket(updateAdvertisingTicket),
  }),

  route('DELETE', '/api/advertisingTickets', {
    document: DeleteAdvertisingTicketDocument,
    input: z.object({ body: z.object({ advertisingTicketId: documentedId }) }),
    variables: ({ body }) => body,
    answer: Done.extend({ message: z.literal('Advertising ticket deleted') }),
    reply: () => ({ ...done, message: 'Advertising ticket deleted' as const }),
  }),

  route('POST', '/api/advertisingTickets/railMenus', {
    document: AssignToRailMenuDocument,
    input: assignment,
    variables: ({ body }) => body,
    answer: okOf(AdvertisingTicket).extend({ message: z.literal('Advertising ticket assigned') }),
    reply: ({ assignToRailMenu }) => ({
      ...done,
      message: 'Advertising ticket assigned' as const,
      data: advertisingTicket(assignToRailMenu),
    }),
  }),

  route('DELETE', '/api/advertisingTickets/railMenus', {
    document: UnassignFromRailMenuDocument,
    input: assignment,
    variables: ({ body }) => body,
    answer: okOf(AdvertisingTicket).extend({ message: z.literal('Advertising ticket unassigned') }),
    reply: ({ unassignFromRailMenu }) => ({
      ...done,
      message: 'Advertising ticket unassigned' as const,
      data: advertisingTicket(unassignFromRailMenu),
    }),
  }),
];
