import { dayColumn } from '../calendar.ts';
import type {
  MutationResolvers,
  OrderConnectionResolvers,
  OrderItemResolvers,
  OrderLogEntryResolvers,
  OrderResolvers,
  OrganizationResolvers,
  PlacedOrderResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { ringgit } from '../money.ts';
import { createFreeOrder, createOrder } from './create-order.ts';
import { findOrder } from './find-order.ts';
import { listMyOrders, listOrders, listOrganizationOrders } from './list-orders.ts';
import { maskEmail, maskName, type OrderInView } from './order.ts';
import { watchOrder } from './watch-order.ts';

export const Query = {
  order: (_parent, names, context) => findOrder(context, names),
  myOrders: (_parent, args, context) => listMyOrders(context, args),
  orders: (_parent, args, context) => listOrders(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createOrder: (_parent, request, context) => createOrder(context, request),
  createFreeOrder: (_parent, request, context) => createFreeOrder(context, request),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  orderStatusChanged: {
    subscribe: (_parent, names, context) => watchOrder(context, names),
    resolve: (order: OrderInView) => order,
  },
} satisfies Partial<SubscriptionResolvers>;

export const Order = {
  orderTicketGroupId: ({ orderTicketGroupId }) => String(orderTicketGroupId),
  ticketGroup: ({ ticketGroupId }, _args, { db }) => db.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId } }),
  custId: ({ custId, seenBy }) => (seenBy === 'public' ? null : custId),
  totalAmount: ({ totalAmountSen }) => ringgit(totalAmountSen),
  buyerName: ({ buyerName, seenBy }) => (seenBy === 'public' ? maskName(buyerName) : buyerName),
  buyerEmail: ({ buyerEmail, seenBy }) => (seenBy === 'public' ? maskEmail(buyerEmail) : buyerEmail),
  admitDate: ({ admitDate }) => dayColumn(admitDate),
  gatewayTransactionId: ({ gatewayTransactionId, seenBy }) => (seenBy === 'public' ? null : gatewayTransactionId),
  items: async ({ orderTicketGroupId, seenBy }, _args, { db }) =>
    (await db.orderTicketInfo.findMany({ where: { orderTicketGroupId }, orderBy: { orderTicketInfoId: 'asc' } })).map(
      (item) => ({ ...item, seenBy }),
    ),
  logs: ({ orderTicketGroupId, seenBy }, _args, { db }) =>
    seenBy === 'staff'
      ? db.orderTicketLog.findMany({ where: { orderTicketGroupId }, orderBy: { orderTicketLogId: 'asc' } })
      : [],
  reviewReason: ({ reviewReason, seenBy }) => (seenBy === 'staff' ? reviewReason : null),
} satisfies OrderResolvers;

export const OrderConnection = {
  totalCount: ({ where }, _args, { db }) => db.orderTicketGroup.count({ where }),
} satisfies OrderConnectionResolvers;

export const PlacedOrder = {
  totalAmount: ({ totalAmountSen }) => ringgit(totalAmountSen),
  order: (order) => order,
} satisfies PlacedOrderResolvers;

export const OrderItem = {
  orderTicketInfoId: ({ orderTicketInfoId }) => String(orderTicketInfoId),
  unitPrice: ({ unitPriceSen }) => ringgit(unitPriceSen),
  admitDate: ({ admitDate }) => dayColumn(admitDate),
  encryptedId: ({ encryptedId, seenBy }) => (seenBy === 'public' ? '' : (encryptedId ?? '')),
} satisfies OrderItemResolvers;

export const OrderLogEntry = {
  orderTicketLogId: ({ orderTicketLogId }) => String(orderTicketLogId),
} satisfies OrderLogEntryResolvers;

export const Organization = {
  __resolveReference: ({ id }) => ({ id }),
  orders: ({ id }, args, context) => listOrganizationOrders(context, id, args),
} satisfies OrganizationResolvers;

export const Workspace = {
  __resolveReference: ({ id }) => ({ id }),
} satisfies WorkspaceResolvers;
