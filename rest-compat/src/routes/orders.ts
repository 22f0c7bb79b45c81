import { z } from 'zod';

import { nodes, pageOf, pageReply } from '../answers/envelope.ts';
import {
  Order,
  OrderRow,
  orderRow,
  PlacedFreeOrder,
  placedFreeOrder,
  PlacedOrder,
  wholeOrder,
} from '../answers/orders.ts';
import {
  CreateFreeOrderDocument,
  CreateOrderDocument,
  ManagedOrdersDocument,
  MyOrdersDocument,
  OrderDocument,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { Pagination } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { attachment, route } from '../route.ts';

const status = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'FREE']).optional();
const text = z.string().max(200);

const NewOrder = z
  .object({
    langChosen: z.string().max(35).optional(),
    ticketGroupId: documentedId,
    custId: text.optional(),
    buyerName: text.min(1),
    buyerEmail: z.string().max(320),
    admitDate: z.string().max(40),
    productDesc: z.string().max(500).optional(),
    mode: text.optional(),
    items: z
      .array(
        z.object({
          itemId: text,
          unitPrice: z.number().optional(),
          quantityBought: z.int(),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: 'OrderInput' });

const placing = z.object({
  headers: z.object({ 'idempotency-key': z.string().max(200).optional(), accept: z.string().optional() }),
  body: NewOrder,
});
const order = ({ body, headers }: z.output<typeof placing>) => ({
  input: body,
  idempotencyKey: headers['idempotency-key'] ?? null,
});

/** Without `custId`, an idempotency key belongs to the viewer: with an expired token, a repeat would be a guest's. */
const asksForBearer = ({ body, headers }: z.output<typeof placing>) =>
  Boolean(headers['idempotency-key'] && !body.custId?.trim());

/** Spec 2, "Orders". */
export const orders = [
  route('POST', '/api/orderTicketGroup', {
    token: 'optional',
    asksForBearer,
    document: CreateOrderDocument,
    input: placing,
    variables: order,
    answer: PlacedOrder,
    reply: ({ createOrder }) => createOrder,
  }),

  route('POST', '/api/orderTicketGroup/free', {
    token: 'optional',
    asksForBearer,
    document: CreateFreeOrderDocument,
    input: placing,
    variables: order,
    // The PDF is attached to the JSON; `Accept: application/pdf` returns it alone.
    answer: PlacedFreeOrder,
    otherAnswer: 'application/pdf',
    // The order is placed before its PDF is printed. The mail brings it, too.
    mayLack: ['createFreeOrder.order.receipt'],
    reply: ({ createFreeOrder }, { headers }) => {
      const pdf = createFreeOrder.order.receipt;
      return pdf && headers.accept?.startsWith(pdf.contentType) ? attachment(pdf) : placedFreeOrder(createFreeOrder);
    },
  }),

  route('GET', '/api/orderTicketGroup', {
    token: 'needed when strict',
    document: OrderDocument,
    // Documented clients use the documented number to look up the names.
    documented: { permissions: ['legacy:order-names'] },
    input: z.object({
      query: z
        .object({
          orderNo: text.optional(),
          transactionId: text.optional(),
          orderTicketGroupId: z
            .string()
            .regex(/^\d{1,18}$/)
            .optional(),
        })
        .refine(
          (query) => Object.values(query).some(Boolean),
          'must have orderNo, transactionId or orderTicketGroupId',
        ),
    }),
    variables: ({ query }) => query,
    answer: Order,
    reply: ({ order }) => wholeOrder(present(order, 'order')),
  }),

  route('GET', '/api/orderNonMemberInquiry', {
    token: 'optional',
    document: OrderDocument,
    input: z.object({ query: z.object({ orderNo: text.min(1), email: z.string().min(3).max(320) }) }),
    variables: ({ query }) => query,
    answer: Order,
    reply: ({ order }) => wholeOrder(present(order, 'order')),
  }),

  route('GET', '/api/orderTicketGroups', {
    document: MyOrdersDocument,
    input: z.object({ query: Pagination.extend({ status }) }),
    variables: ({ query }) => ({ first: query.limit, page: query.page, status: query.status ?? null }),
    answer: z.array(OrderRow),
    reply: ({ myOrders }) => nodes(myOrders, orderRow),
  }),

  route('GET', '/api/orderTicketGroups/management', {
    document: ManagedOrdersDocument,
    input: z.object({
      query: Pagination.extend({
        query: text.optional(),
        status,
        startDate: z.iso.date().optional(),
        endDate: z.iso.date().optional(),
        ticketGroupId: z
          .string()
          .regex(/^\d{1,18}$/)
          .optional(),
      }),
    }),
    variables: ({ query: { page, limit, ...filter } }) => ({ filter, first: limit, page }),
    answer: pageOf(OrderRow),
    reply: ({ orders: found }, { query }) => pageReply(found, orderRow, query),
  }),
];
