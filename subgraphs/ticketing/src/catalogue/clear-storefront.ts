import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { belongedTo, clearStorefrontJob } from '@foyer/shared/jobs/deleted-tenancy';
import { worker } from '@foyer/shared/jobs/job';

type Needs = { db: Pick<TicketingDatabase, 'ticketGroup' | 'advertisingTicket' | 'railMenu' | 'campaign'> };

/**
 * Takes off the storefront what belongs to a deleted organization or workspace. Orders that were placed stay as they are. A rail
 * menu would show what other workspaces sell, and a campaign would keep its target group for good, with nobody to remove them.
 */
export const clearStorefrontWorker = ({ db }: Needs) =>
  worker(clearStorefrontJob, async (deleted) => {
    const where = belongedTo(deleted);
    const shown = { where: { ...where, isActive: true } };
    await db.ticketGroup.updateMany({ ...shown, data: { isActive: false } });
    await db.advertisingTicket.updateMany({ ...shown, data: { isActive: false } });
    await db.railMenu.deleteMany({ where });
    await db.campaign.deleteMany({ where });
  });
