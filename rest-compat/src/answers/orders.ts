import { z } from 'zod';

import type { CreateFreeOrderMutation, OrderPartsFragment, OrderRowFragment } from '../generated/operations.ts';

const TransactionStatus = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'FREE']);

/** An order in a list. */
export const OrderRow = z
  .object({
    orderTicketGroupId: z.int(),
    orderNo: z.string(),
    transactionStatus: TransactionStatus,
    totalAmount: z.number(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    admitDate: z.iso.date(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'OrderRow' });

export const orderRow = (order: OrderRowFragment): z.input<typeof OrderRow> => ({
  orderTicketGroupId: Number(order.orderTicketGroupId),
  orderNo: order.orderNo,
  transactionStatus: order.transactionStatus,
  totalAmount: order.totalAmount,
  buyerName: order.buyerName,
  buyerEmail: order.buyerEmail,
  admitDate: order.admitDate,
  createdAt: order.createdAt,
});

export const Order = OrderRow.extend({
  langChosen: z.string(),
  ticketGroupId: z.int(),
  /** Empty for a stranger: the documents show a string. */
  custId: z.string(),
  transactionId: z.string(),
  bankCurrentStatus: z.string(),
  isEmailSent: z.boolean(),
  items: z.array(
    z.object({
      orderTicketInfoId: z.int(),
      orderTicketGroupId: z.int(),
      itemId: z.string(),
      unitPrice: z.number(),
      itemDesc1: z.string(),
      itemDesc2: z.string(),
      itemDesc3: z.string(),
      variant: z.string(),
      quantityBought: z.int(),
      admitDate: z.iso.date(),
      encryptedId: z.string(),
    }),
  ),
  logs: z.array(
    z.object({
      orderTicketLogId: z.int(),
      orderTicketGroupId: z.int(),
      performedBy: z.string(),
      type: z.enum(['order', 'payment', 'email', 'admin']),
      title: z.string(),
      message: z.string(),
      date: z.iso.datetime(),
    }),
  ),
}).meta({ id: 'Order' });

export const wholeOrder = ({ items, logs, ticketGroup, ...order }: OrderPartsFragment): z.input<typeof Order> => ({
  ...orderRow(order),
  langChosen: order.langSent,
  ticketGroupId: Number(ticketGroup.ticketGroupId),
  custId: order.custId ?? '',
  transactionId: order.transactionId,
  bankCurrentStatus: order.bankCurrentStatus,
  isEmailSent: order.isEmailSent,
  items: items.map(({ orderTicketInfoId, orderTicketGroupId, ...item }) => ({
    orderTicketInfoId: Number(orderTicketInfoId),
    orderTicketGroupId: Number(orderTicketGroupId),
    ...item,
  })),
  logs: logs.map(({ orderTicketLogId, orderTicketGroupId, ...entry }) => ({
    orderTicketLogId: Number(orderTicketLogId),
    orderTicketGroupId: Number(orderTicketGroupId),
    ...entry,
  })),
});

/** A new order, with what its payment needs. */
export const PlacedOrder = z
  .object({
    orderNo: z.string(),
    billId: z.string(),
    productId: z.string(),
    totalAmount: z.number(),
    msgToken: z.string(),
    transactionId: z.string(),
  })
  .meta({ id: 'PlacedOrder' });

/** A new order that costs nothing, with its receipt. */
export const PlacedFreeOrder = PlacedOrder.extend({
  transactionStatus: TransactionStatus,
  pdf: z.object({ filename: z.string(), contentType: z.string(), base64: z.string() }).nullable(),
}).meta({ id: 'PlacedFreeOrder' });

export const placedFreeOrder = ({
  order,
  ...placed
}: CreateFreeOrderMutation['createFreeOrder']): z.input<typeof PlacedFreeOrder> => ({
  ...placed,
  transactionStatus: order.transactionStatus,
  pdf: order.receipt,
});
