import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { sendRefundNoticeJob } from './send-refund-notice.ts';

/**
 * Sees to it that a buyer hears of the money that is owed back, in the transaction that puts the order
 * under review. Asking again asks for nothing more.
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
