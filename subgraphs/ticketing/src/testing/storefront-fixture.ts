import { randomUUID } from 'node:crypto';

import type { TicketingDatabase } from '@foyer/prisma/ticketing';

import { dayOf, daysAfter } from '../units/calendar.ts';

/** Ticket groups and customers for tests. */

export interface Group {
  dailyCapacity: number;
  variantCapacity?: number;
  unitPriceSen?: bigint;
}

/** A group with one kind of ticket. */
export async function createTicketGroupOnSale(
  db: TicketingDatabase,
  { dailyCapacity, variantCapacity, unitPriceSen = 50_00n }: Group,
) {
  const itemId = `ITEM-${randomUUID()}`;
  const names = { nameBm: 'Dewasa', nameEn: 'Adult', nameCn: '成人', variant: 'Adult' };
  const { ticketGroupId } = await db.ticketGroup.create({
    data: {
      organizationId: randomUUID(),
      workspaceId: randomUUID(),
      slug: randomUUID(),
      dailyCapacity,
      groupNameBm: 'Muzium',
      groupNameEn: 'Museum',
      groupNameCn: '博物馆',
      variants: {
        create: [
          {
            ...names,
            itemId,
            unitPriceSen,
            dailyCapacity: variantCapacity ?? null,
          },
        ],
      },
    },
  });
  return { ticketGroupId: String(ticketGroupId), itemId };
}

export async function createGuest(db: TicketingDatabase): Promise<string> {
  return (await db.customer.create({ data: { email: 'siti@example.my', fullName: 'Siti Aminah' } })).custId;
}

/** A week from now. */
export const nextWeek = (): string => daysAfter(dayOf(new Date()), 7);
