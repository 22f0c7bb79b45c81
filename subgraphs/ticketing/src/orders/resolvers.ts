import { maskEmail, maskName } from '../access/masks.ts';
import { dayColumn, readable } from '../units/calendar.ts';
import type {
  OrderConnectionResolvers,
  OrderItemResolvers,
  OrderLogEntryResolvers,
  OrderResolvers,
  OrganizationResolvers,
  PaymentMessageResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { ringgit } from '../units/money.ts';
import { findOrder } from './find-order.ts';
import { listMyOrders, listOrders, listOrganizationOrders } from './list-orders.ts';
import { listPayments } from './list-payments.ts';
import type { OrderInView } from './order.ts';
import { watchOrder } from './watch-order.ts';

export const Query = {
  order: (_parent, names, context) => findOrder(context, names),
  myOrders: (_parent, args, context) => listMyOrders(context, args),
  orders: (_parent, args, context) => listOrders(context, args),
} satisfies Partial<QueryResolvers>;

export const Subscription = {
  orderStatusChanged: {
    subscribe: (_parent, names, context) => watchOrder(context, names),
    resolve: (order: OrderInView) => order,
  },
} satisfies Partial<SubscriptionResolvers>;

export const Order = {
  orderTicketGroupId: ({ orderTicketGroupId }) => String(orderTicketGroupId),
  ticketGroup: ({ ticketGroupId }, _args, { loaders }) => loaders.ticketGroup.load(ticketGroupId),
  langSent: ({ langSent, langChosen }) => langSent ?? langChosen,
  custId: ({ custId, seenBy }) => (seenBy === 'public' ? null : custId),
  totalAmount: ({ totalAmountSen }) => ringgit(totalAmountSen),
  buyerName: ({ buyerName, seenBy }) => (seenBy === 'public' ? maskName(buyerName) : buyerName),
  buyerEmail: ({ buyerEmail, seenBy }) => (seenBy === 'public' ? maskEmail(buyerEmail) : buyerEmail),
  admitDate: ({ admitDate }) => dayColumn(admitDate),
  paidAt: ({ paidAt }) => paidAt && readable(paidAt), // as the bank wrote it
  gatewayTransactionId: ({ gatewayTransactionId, seenBy }) => (seenBy === 'public' ? null : gatewayTransactionId),
  items: async ({ orderTicketGroupId, seenBy }, _args, { loaders }) =>
    (await loaders.items.load(orderTicketGroupId)).map((item) => ({ ...item, seenBy })),
  logs: ({ orderTicketGroupId, seenBy }, _args, { loaders }) =>
    seenBy === 'staff' ? loaders.logs.load(orderTicketGroupId) : [],
  payments: (order, _args, context) => listPayments(context, order),
  reviewReason: ({ reviewReason, seenBy }) => (seenBy === 'staff' ? reviewReason : null),
  reviewResolvedAt: ({ reviewResolvedAt, seenBy }) =>
    seenBy === 'staff' && reviewResolvedAt ? reviewResolvedAt.toISOString() : null,
} satisfies OrderResolvers;

export const OrderConnection = {
  totalCount: ({ where }, _args, { db }) => db.orderTicketGroup.count({ where }),
} satisfies OrderConnectionResolvers;

export const OrderItem = {
  orderTicketInfoId: ({ orderTicketInfoId }) => String(orderTicketInfoId),
  orderTicketGroupId: ({ orderTicketGroupId }) => String(orderTicketGroupId),
  unitPrice: ({ unitPriceSen }) => ringgit(unitPriceSen),
  admitDate: ({ admitDate }) => dayColumn(admitDate),
  encryptedId: ({ encryptedId, seenBy }) => (seenBy === 'public' ? '' : (encryptedId ?? '')),
} satisfies OrderItemResolvers;

export const PaymentMessage = {
  amount: ({ amountSen }) => ringgit(amountSen),
} satisfies PaymentMessageResolvers;

export const OrderLogEntry = {
  orderTicketLogId: ({ orderTicketLogId }) => String(orderTicketLogId),
  orderTicketGroupId: ({ orderTicketGroupId }) => String(orderTicketGroupId),
} satisfies OrderLogEntryResolvers;

export const Organization = {
  __resolveReference: ({ id }) => ({ id }),
  orders: ({ id }, args, context) => listOrganizationOrders(context, id, args),
} satisfies OrganizationResolvers;

export const Workspace = {
  __resolveReference: ({ id }) => ({ id }),
} satisfies WorkspaceResolvers;
