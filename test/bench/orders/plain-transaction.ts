import type { OrderTicketGroup, OrderTicketInfo } from '@foyer/prisma/client';
import type { TicketingDatabase, TicketingTransaction } from '@foyer/prisma/ticketing';
import { Refusal } from '@foyer/shared/errors';
import type { Jobs } from '@foyer/shared/jobs/jobs';

import { sendConfirmationJob } from '../../../subgraphs/ticketing/src/deliveries/send-confirmation.ts';
import type { TicketSigner } from '../../../subgraphs/ticketing/src/ticket-codes/ticket-signer.ts';
import { newNames } from './names.ts';

interface Input {
  ticketGroupId: string;
  admitDate: string;
  custId?: string | null | undefined;
  buyerName: string;
  buyerEmail: string;
  items: readonly { itemId: string; quantityBought: number }[];
}

interface Needs {
  db: TicketingDatabase;
  jobs: Jobs;
  ticketSigner: TicketSigner;
}

/**
 * An order of one item as a reader of Prisma's manual writes it: it holds the row of the day from the first
 * statement to the commit. A free one is confirmed in it, with all that Foyer writes: its tickets, signed, the mail with its
 * job, the log and the notification of staff.
 *
 * @throws {Refusal} `SOLD_OUT`
 */
export const plainly = (needs: Needs, input: Input, isFree: boolean): Promise<OrderTicketGroup> =>
  needs.db.$transaction(
    async (tx) => {
      const order = await write(tx, input, isFree);
      if (isFree) await confirm(needs, tx, order);
      return order;
    },
    { maxWait: 60_000, timeout: 60_000 },
  );

async function write(tx: TicketingTransaction, input: Input, isFree: boolean): Promise<OrderTicketGroup> {
  const [ticketGroupId, admitDate] = [BigInt(input.ticketGroupId), new Date(`${input.admitDate}T00:00:00Z`)];
  const where = { ticketGroupId_admitDate: { ticketGroupId, admitDate } };
  const { custId, buyerName, buyerEmail } = input;
  const [{ itemId, quantityBought: quantity } = { itemId: '', quantityBought: 0 }] = input.items;
  await tx.$queryRaw`SELECT 1 FROM ticketing.daily_capacity
    WHERE ticket_group_id = ${ticketGroupId} AND admit_date = ${admitDate} FOR UPDATE`;
  const { capacity, reserved } = await tx.dailyCapacity.findUniqueOrThrow({ where });
  if (reserved + quantity > capacity) throw new Refusal('CONFLICT', 'SOLD_OUT', 'Sold out.');
  const group = await tx.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId } });
  const found = await tx.ticketVariant.findFirstOrThrow({ where: { ticketGroupId, itemId } });
  const { unitPriceSen, ticketVariantId, nameBm, nameEn, nameCn, variant } = found;
  const names = { itemDesc1: nameBm, itemDesc2: nameEn, itemDesc3: nameCn, variant };
  const order = await tx.orderTicketGroup.create({
    data: {
      ...newNames(),
      ticketGroupId,
      organizationId: group.organizationId,
      workspaceId: group.workspaceId,
      custId: custId ?? '',
      admitDate,
      langChosen: 'bm',
      productId: `TG${ticketGroupId}`,
      totalAmountSen: unitPriceSen * BigInt(quantity),
      quantity,
      buyerName,
      buyerEmail,
      transactionStatus: isFree ? 'FREE' : 'INITIATED',
      items: { create: { ticketVariantId, itemId, ...names, unitPriceSen, quantityBought: quantity, admitDate } },
      logs: { create: { performedBy: buyerName, type: 'order', title: 'Order placed', message: '' } },
    },
  });
  await tx.dailyCapacity.update({ where, data: { reserved: { increment: quantity } } });
  return order;
}

async function confirm({ jobs, ticketSigner }: Needs, tx: TicketingTransaction, order: OrderTicketGroup) {
  const { orderTicketGroupId, orderNo, buyerName, organizationId, workspaceId } = order;
  const items = await tx.orderTicketInfo.findMany({ where: { orderTicketGroupId } });
  for (const item of items) await issue(ticketSigner, tx, order, item);
  const { deliveryId } = await tx.delivery.create({
    data: { orderTicketGroupId, kind: 'confirmation', recipient: order.buyerEmail, messageId: `confirm.${orderNo}` },
  });
  await jobs.enqueue(sendConfirmationJob, { deliveryId: String(deliveryId) }, { within: tx });
  await tx.orderTicketLog.create({
    data: { orderTicketGroupId, performedBy: 'system', type: 'order', title: 'Free order confirmed', message: orderNo },
  });
  await tx.notification.create({
    data: {
      performedBy: buyerName,
      authorityLevel: 'CUSTOMER',
      type: 'Order',
      title: 'Free order',
      message: `${buyerName} placed the free order ${orderNo}.`,
      date: '01-01-2030 00:00:00',
      organizationId,
      workspaceId,
    },
  });
}

async function issue(
  signer: TicketSigner,
  tx: TicketingTransaction,
  { orderTicketGroupId, ticketGroupId }: OrderTicketGroup,
  { orderTicketInfoId, quantityBought, admitDate }: OrderTicketInfo,
) {
  let encryptedId = '';
  for (let serial = 1; serial <= quantityBought; serial += 1) {
    const [{ id: ticketId }] = await tx.$queryRaw<[{ id: bigint }]>`
      SELECT nextval(pg_get_serial_sequence('ticketing.ticket', 'ticket_id')) AS id`;
    const code = signer.sign({ kind: 'admission', id: ticketId, serial, ticketGroupId, admitDate });
    await tx.ticket.create({
      data: { ticketId, orderTicketGroupId, orderTicketInfoId, ticketGroupId, serial, admitDate, code },
    });
    encryptedId = code;
  }
  await tx.orderTicketInfo.update({ where: { orderTicketInfoId }, data: { encryptedId } });
}
