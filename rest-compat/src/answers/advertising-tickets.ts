import { z } from 'zod';

import type { AdvertisingTicketPartsFragment } from '../generated/operations.ts';

export const AdvertisingTicket = z
  .object({
    advertisingTicketId: z.int(),
    advertisementType: z.enum(['brandImage', 'coupon', 'editorial', 'typographic']),
    advertiser: z.string(),
    color: z.string(),
    placement: z.int(),
    titleBm: z.string(),
    titleEn: z.string(),
    titleCn: z.string(),
    headerBm: z.string(),
    headerEn: z.string(),
    headerCn: z.string(),
    descBm: z.string(),
    descEn: z.string(),
    descCn: z.string(),
    actionButton: z.string(),
    redirectUrl: z.string(),
    imageUrl: z.string(),
    activeStartDate: z.union([z.iso.date(), z.literal('')]),
    activeEndDate: z.union([z.iso.date(), z.literal('')]),
    isActive: z.boolean(),
    railMenus: z.array(z.object({ railMenuId: z.int(), code: z.string() })),
  })
  .meta({ id: 'AdvertisingTicket' });

export const advertisingTicket = (ticket: AdvertisingTicketPartsFragment): z.input<typeof AdvertisingTicket> => ({
  ...ticket,
  advertisingTicketId: Number(ticket.advertisingTicketId),
  activeStartDate: ticket.activeStartDate ?? '',
  activeEndDate: ticket.activeEndDate ?? '',
  railMenus: ticket.railMenus.map(({ railMenuId, code }) => ({ railMenuId: Number(railMenuId), code })),
});
