import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { sendRefundNoticeJob } from './send-refund-notice.ts';

/**
 * Queues the notice of a refund, in the transaction that puts the order under review. Repeating it queues nothing more.
 */
export async function queueRefundNotice(
  { jobs }: Pick<Services, 'jobs'>,
  tx: TicketingTransaction,
  { orderTicketGroupId, orderNo, buyerEmail: recipient }: OrderTicketGroup,
): Promise<void> {
  const [created] = await tx.delivery.createManyAndReturn({
    data: [{ orderTicketGroupId, kind: 'refundDue', recipient, messageId: `refund.${orderNo}` }],
    skipDuplicates: true,
  });
  if (created) await jobs.enqueue(sendRefundNoticeJob, { deliveryId: String(created.deliveryId) }, { within: tx });
}
