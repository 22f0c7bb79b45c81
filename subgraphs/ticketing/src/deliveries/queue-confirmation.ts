import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { sendConfirmationJob } from './send-confirmation.ts';

type Needs = Pick<Services, 'jobs'>;

/**
 * Queues the confirmations with the tickets, in the transaction that makes the orders SUCCESS or FREE, so that all is
 * committed or nothing. Repeating it queues nothing more.
 */
export async function queueConfirmations(
  { jobs }: Needs,
  tx: TicketingTransaction,
  orderTicketGroupIds: readonly bigint[],
): Promise<void> {
  const created = await tx.$queryRaw<{ deliveryId: bigint }[]>`
    INSERT INTO ticketing.delivery (order_ticket_group_id, kind, recipient, message_id)
    SELECT order_ticket_group_id, 'confirmation', buyer_email, 'confirm.' || order_no
    FROM ticketing.order_ticket_group WHERE order_ticket_group_id = ANY (${orderTicketGroupIds})
    ORDER BY order_ticket_group_id
    ON CONFLICT DO NOTHING
    RETURNING delivery_id AS "deliveryId"`;
  const mails = created.map(({ deliveryId }) => ({ deliveryId: String(deliveryId) }));
  await jobs.enqueueAll(sendConfirmationJob, mails, { within: tx });
}
