import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { House } from '../context.ts';
import { sendRefundNoticeJob } from './send-refund-notice.ts';

/**
 * Sees to it that a buyer hears of the money that is owed back, in the transaction that puts the order
 * under review. Asking again asks for nothing more.
 */
export async function askForRefundNotice(
  { jobs }: Pick<House, 'jobs'>,
  tx: TicketingTransaction,
  { orderTicketGroupId, orderNo, buyerEmail: recipient }: OrderTicketGroup,
): Promise<void> {
  const [asked] = await tx.delivery.createManyAndReturn({
    data: [{ orderTicketGroupId, kind: 'refundDue', recipient, messageId: `refund.${orderNo}` }],
    skipDuplicates: true,
  });
  if (asked) await jobs.enqueue(sendRefundNoticeJob, { deliveryId: String(asked.deliveryId) }, { within: tx });
}
