import type { TicketingDatabase } from '@foyer/prisma/ticketing';

import type { FreeOrders } from '../capacity/reservations.ts';
import type { Services } from '../context.ts';
import { sendConfirmationJob } from '../deliveries/send-confirmation.ts';
import { idsInStock } from '../tickets/ids-in-stock.ts';
import { issueInAdvance } from '../tickets/issue-in-advance.ts';

type Needs = Pick<Services, 'jobs' | 'ticketSigner'> & { db: Pick<TicketingDatabase, '$queryRaw'> };

/** Confirms orders that cost nothing while they are placed, by statements whose number does not depend on theirs. */
export function confirmFreeOrders({ db, jobs, ticketSigner }: Needs): FreeOrders {
  const lineIds = idsInStock({ db, sequence: 'ticketing.order_ticket_info_order_ticket_info_id_seq' });
  const ticketIds = idsInStock({ db, sequence: 'ticketing.ticket_ticket_id_seq' });
  return {
    issue: (placements) => issueInAdvance({ ticketSigner, lineIds, ticketIds }, placements),
    async enqueueMails(tx, deliveryIds) {
      const mails = deliveryIds.map((deliveryId) => ({ deliveryId: String(deliveryId) }));
      await jobs.enqueueAll(sendConfirmationJob, mails, { within: tx });
    },
  };
}
