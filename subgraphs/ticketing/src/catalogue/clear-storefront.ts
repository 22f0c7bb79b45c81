import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { belongedTo, clearStorefrontJob } from '@foyer/shared/jobs/deleted-tenancy';
import { worker } from '@foyer/shared/jobs/job';

type Needs = { db: Pick<TicketingDatabase, 'ticketGroup' | 'advertisingTicket'> };

/** Takes off the storefront what belongs to a deleted organization or workspace. Orders that were placed stay as they are. */
export const clearStorefrontWorker = ({ db }: Needs) =>
  worker(clearStorefrontJob, async (deleted) => {
    const shown = { where: { ...belongedTo(deleted), isActive: true } };
    await db.ticketGroup.updateMany({ ...shown, data: { isActive: false } });
    await db.advertisingTicket.updateMany({ ...shown, data: { isActive: false } });
  });
