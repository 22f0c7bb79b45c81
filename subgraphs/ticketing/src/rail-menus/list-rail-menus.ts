import type { RailMenu } from '@foyer/prisma/client';
import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';

import { shownOn } from '../advertising-tickets/advertising-ticket.ts';
import { dateColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { mergeByPlacement, type RailMenuItem } from './rail.ts';

type Needs = Pick<Context, 'db' | 'clock'>;

/** The rails of the storefront, by placement. */
export async function listRailMenus({ db }: Needs, given?: GivenId | null) {
  const organizationId = unproven(given); // what is shown, everybody sees
  if (organizationId && !isUuid(organizationId)) return [];
  return db.railMenu.findMany({
    where: { isActive: true, ...(organizationId && { organizationId }) },
    orderBy: [{ placement: 'asc' }, { railMenuId: 'asc' }],
  });
}

/** The rails that an advertising ticket stands in, by placement. */
export async function railMenusOf({ db }: Needs, advertisingTicketId: bigint): Promise<RailMenu[]> {
  // Asked through its one parent, so that Prisma asks once for all tickets of a list.
  const links = await db.advertisingTicket
    .findUnique({ where: { advertisingTicketId } })
    .railMenus({ include: { railMenu: true } });
  return (links ?? []).map(({ railMenu }) => railMenu).toSorted((one, other) => one.placement - other.placement);
}

/** What is on offer in a rail today. */
export async function itemsOf({ db, clock }: Needs, { railMenuId }: RailMenu): Promise<RailMenuItem[]> {
  const today = dayOf(clock.now());
  const rail = db.railMenu.findUnique.bind(db.railMenu, { where: { railMenuId } });
  const [groups, advertisements] = await Promise.all([
    rail().ticketGroups({
      where: {
        ticketGroup: { isActive: true, OR: [{ activeEndDate: null }, { activeEndDate: { gte: dateColumn(today) } }] },
      },
      include: { ticketGroup: true },
      orderBy: { ticketGroupId: 'asc' },
    }),
    rail().advertisingTickets({
      where: { advertisingTicket: shownOn(today) },
      include: { advertisingTicket: true },
      orderBy: { advertisingTicketId: 'asc' },
    }),
  ]);
  return mergeByPlacement(
    (groups ?? []).map(({ placement, ticketGroup }) => ({ placement, card: ticketGroup })),
    (advertisements ?? []).map(({ advertisingTicket }) => ({
      placement: advertisingTicket.placement,
      card: advertisingTicket,
    })),
  );
}
