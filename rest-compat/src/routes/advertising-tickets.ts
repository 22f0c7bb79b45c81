import { z } from 'zod';

import {
  AdvertisingTicketsDocument,
  AssignToRailMenuDocument,
  CreateAdvertisingTicketDocument,
  DeleteAdvertisingTicketDocument,
  UnassignFromRailMenuDocument,
  UpdateAdvertisingTicketDocument,
  type AdvertisingTicketPartsFragment,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, pageArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';

const inOneLine = (ticket: AdvertisingTicketPartsFragment) => ({
  ...ticket,
  advertisingTicketId: Number(ticket.advertisingTicketId),
  activeStartDate: ticket.activeStartDate ?? '',
  activeEndDate: ticket.activeEndDate ?? '',
  railMenus: ticket.railMenus.map(({ railMenuId, code }) => ({ railMenuId: Number(railMenuId), code })),
});

const text = z.string().max(20_000).optional();
const fields = z.object({
  advertisementType: z.enum(['brandImage', 'coupon', 'editorial', 'typographic']),
  advertiser: text,
  color: text,
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
const assignment = z.object({ body: z.object({ railMenuId: documentedId, advertisingTicketId: documentedId }) });

/** Spec 2, "Advertising tickets". */
export const advertisingTickets = [
  route('GET', '/api/advertisingTickets', {
    document: AdvertisingTicketsDocument,
    input: z.object({ query: OptionalPagination }),
    variables: ({ query }) => pageArguments(query),
    atMost: 1_000, // a card may have long texts
    reply: ({ managedAdvertisingTicketConnection: shown }) => shown.edges.map(({ node }) => inOneLine(node)),
  }),

  route('POST', '/api/advertisingTickets', {
    document: CreateAdvertisingTicketDocument,
    input: z.object({ body: fields }),
    variables: ({ body }) => ({ input: body }),
    reply: ({ createAdvertisingTicket }) => inOneLine(createAdvertisingTicket),
    status: 201,
  }),

  route('PUT', '/api/advertisingTickets', {
    document: UpdateAdvertisingTicketDocument,
    input: z.object({ body: fields.extend({ advertisingTicketId: documentedId }) }),
    variables: ({ body: { advertisingTicketId, ...input } }) => ({ advertisingTicketId, input }),
    reply: ({ updateAdvertisingTicket }) => inOneLine(updateAdvertisingTicket),
  }),

  route('DELETE', '/api/advertisingTickets', {
    document: DeleteAdvertisingTicketDocument,
    input: z.object({ body: z.object({ advertisingTicketId: documentedId }) }),
    variables: ({ body }) => body,
    reply: () => ({ success: true, message: 'Advertising ticket deleted' }),
  }),

  route('POST', '/api/advertisingTickets/railMenus', {
    document: AssignToRailMenuDocument,
    input: assignment,
    variables: ({ body }) => body,
    reply: ({ assignToRailMenu }) => ({
      success: true,
      message: 'Advertising ticket assigned',
      data: inOneLine(assignToRailMenu),
    }),
  }),

  route('DELETE', '/api/advertisingTickets/railMenus', {
    document: UnassignFromRailMenuDocument,
    input: assignment,
    variables: ({ body }) => body,
    reply: ({ unassignFromRailMenu }) => ({
      success: true,
      message: 'Advertising ticket unassigned',
      data: inOneLine(unassignFromRailMenu),
    }),
  }),
];
