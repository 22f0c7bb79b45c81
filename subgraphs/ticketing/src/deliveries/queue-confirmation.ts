import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { sendConfirmationJob } from './send-confirmation.ts';

type Needs = Pick<Services, 'jobs'>;

/**
 * Queues the confirmation with the tickets, in the transaction that makes the order SUCCESS or FREE, so that both are
 * committed or neither. Repeating it queues nothing more.
 */
export async function queueConfirmation(
  { jobs }: Needs,
  tx: TicketingTransaction,
  orderTicketGroupId: bigint,
): Promise<void> {
  const { orderNo, buyerEmail } = await tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
  const [created] = await tx.delivery.createManyAndReturn({
    data: [{ orderTicketGroupId, kind: 'confirmation', recipient: buyerEmail, messageId: `confirm.${orderNo}` }],
    skipDuplicates: true,
  });
  if (created) await jobs.enqueue(sendConfirmationJob, { deliveryId: String(created.deliveryId) }, { within: tx });
}
