import type { RailMenu } from '@foyer/prisma/client';
import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';

import { holdsPermissionOver } from '../access/staff-scope.ts';
import { shownOn } from '../advertising-tickets/advertising-ticket.ts';
import { dateColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { mergeByPlacement, type RailMenuItem } from './rail.ts';

type Needs = Pick<Context, 'db' | 'clock'>;
type Viewing = Pick<Context, 'db' | 'viewer' | 'permissions'>;

/** Lists the rail menus of the storefront, by placement. */
export async function listRailMenus({ db }: Needs, given?: GivenId | null) {
  const organizationId = unproven(given); // public, so no permission is needed
  if (organizationId && !isUuid(organizationId)) return [];
  return db.railMenu.findMany({
    where: { isActive: true, ...(organizationId && { organizationId }) },
    orderBy: [{ placement: 'asc' }, { railMenuId: 'asc' }],
  });
}

/** Lists the rail menus of an advertising ticket, by placement: those that are shown, and for staff those they may view. */
export async function railMenusOf(needs: Viewing, advertisingTicketId: bigint): Promise<RailMenu[]> {
  // Queried through the parent, so that Prisma batches the query for all tickets of a list.
  const links = await needs.db.advertisingTicket
    .findUnique({ where: { advertisingTicketId } })
    .railMenus({ include: { railMenu: true } });
  const rails = await Promise.all(
    (links ?? []).map(async ({ railMenu }) =>
      railMenu.isActive || (await mayView(needs, railMenu)) ? [railMenu] : [],
    ),
  );
  return rails.flat().toSorted((one, other) => one.placement - other.placement);
}

/** As staff who list all rails of its workspace. */
const mayView = async (needs: Viewing, rail: RailMenu) =>
  needs.viewer?.kind === 'staff' && holdsPermissionOver(needs, 'catalogue:view', rail);

/** Lists the items of a rail menu that are shown today. */
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
