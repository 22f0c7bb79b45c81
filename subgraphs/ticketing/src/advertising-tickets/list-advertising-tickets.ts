import type { Prisma } from '@foyer/prisma/client';
import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';

import { connectionOf, cursorOf, readPage, type PageArguments } from '@foyer/shared/pagination';
import { dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { roleScopeOf, withOrganizationWide } from '../access/role-scope.ts';
import { readPlacementCursor } from '../catalogue/placement-cursor.ts';
import { shownOn } from './advertising-ticket.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

const byPlacement = [{ placement: 'asc' }, { advertisingTicketId: 'asc' }] as const;
const MOST = 1_000;

/** Lists what is shown today, by placement. */
export async function listAdvertisingTickets({ db, clock }: Needs, given?: GivenId | null) {
  const organizationId = unproven(given); // public, so no permission is needed
  if (organizationId && !isUuid(organizationId)) return [];
  return db.advertisingTicket.findMany({
    where: { ...shownOn(dayOf(clock.now())), ...(organizationId && { organizationId }) },
    orderBy: [...byPlacement],
    take: MOST,
  });
}

/** Lists what the viewer manages, by placement: what is shown today, or all of it. */
export async function listManagedAdvertisingTickets(needs: Needs, all: boolean) {
  return needs.db.advertisingTicket.findMany({
    where: await managedBy(needs, all),
    orderBy: [...byPlacement],
    take: MOST,
  });
}

/** Lists the same, in pages. */
export async function pageManagedAdvertisingTickets(needs: Needs, { all, ...page }: PageArguments & { all: boolean }) {
  const { first, take, skip, after } = readPage(page);
  const rows = await needs.db.advertisingTicket.findMany({
    where: { AND: [await managedBy(needs, all), behind(after)] },
    orderBy: [...byPlacement],
    skip,
    take,
  });
  return connectionOf(rows, first, ({ placement, advertisingTicketId }) => cursorOf(placement, advertisingTicketId));
}

async function managedBy(needs: Needs, all: boolean): Promise<Prisma.AdvertisingTicketWhereInput> {
  const visible = withOrganizationWide(await roleScopeOf(needs, 'advertising:view'));
  return { AND: [visible, all ? {} : shownOn(dayOf(needs.clock.now()))] };
}

/** Selects what follows a cursor. */
function behind(cursor: string | undefined): Prisma.AdvertisingTicketWhereInput {
  const after = readPlacementCursor(cursor);
  if (!after) return {};
  const { placement, id } = after;
  // The first condition is the index's; the second decides among equals.
  return { placement: { gte: placement }, OR: [{ placement: { gt: placement } }, { advertisingTicketId: { gt: id } }] };
}
