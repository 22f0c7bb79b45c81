import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';

import { dayOf } from '../calendar.ts';
import type { Context } from '../context.ts';
import { reachOf, withTheWhole } from '../role-scope.ts';
import { shownOn } from './advertising-ticket.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

const byPlacement = [{ placement: 'asc' }, { advertisingTicketId: 'asc' }] as const;
const MOST = 1_000; // the documented list has no pages

/** What is shown today, by placement. */
export async function listAdvertisingTickets({ db, clock }: Needs, given?: GivenId | null) {
  const organizationId = unproven(given); // what is shown, everybody sees
  if (organizationId && !isUuid(organizationId)) return [];
  return db.advertisingTicket.findMany({
    where: { ...shownOn(dayOf(clock.now())), ...(organizationId && { organizationId }) },
    orderBy: [...byPlacement],
    take: MOST,
  });
}

/** What the viewer looks after, by placement: what is shown today, or all of it. */
export async function listManagedAdvertisingTickets(needs: Needs, all: boolean) {
  const visible = withTheWhole(await reachOf(needs, 'advertising:view'));
  return needs.db.advertisingTicket.findMany({
    where: { AND: [visible, all ? {} : shownOn(dayOf(needs.clock.now()))] },
    orderBy: [...byPlacement],
    take: MOST,
  });
}
