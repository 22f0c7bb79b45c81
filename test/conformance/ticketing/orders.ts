import { expect } from 'vitest';

import { ask, day } from '../../support/storefront.ts';
import { fieldsOf } from '../framework/per-server.ts';
import { holds, type Rows } from '../framework/row.ts';
import { isCount, text, timestamp, truth, uuid } from '../framework/shapes.ts';
import { buyerEmail, paidOrder } from './shop.ts';

/** "Order group", "Order item", "Order log entry": what their readers are shown. */
export const orderFields: Rows = {
  ...fieldsOf(paidOrder, {
    'ticketing-order-group-order-ticket-group-id': ({ order }) =>
      expect([order.orderTicketGroupId, isCount(order.orderTicketGroupId)]).toEqual([expect.any(Number), true]),
    'ticketing-order-group-lang-chosen': ({ order }) => expect(order.langChosen).toBe('EN'),
    'ticketing-order-group-ticket-group-id': ({ order, group }) =>
      expect(order.ticketGroupId).toBe(Number(group.ticketGroupId)),
    'ticketing-order-group-cust-id': ({ order, custId }) => expect(order.custId).toBe(custId),
    'ticketing-order-group-transaction-id': ({ order }) => expect(order.transactionId).toEqual(uuid),
    'ticketing-order-group-order-no': ({ order, orderNo }) => expect([order.orderNo, orderNo]).toEqual([orderNo, text]),
    'ticketing-order-group-transaction-status': ({ order }) => expect(order.transactionStatus).toBe('SUCCESS'),
    'ticketing-order-group-bank-current-status': ({ order }) => expect(order.bankCurrentStatus).toEqual(text),
    'ticketing-order-group-total-amount': ({ order }) => expect(order.totalAmount).toBe(90),
    'ticketing-order-group-buyer-name-buyer-email': ({ order }) =>
      expect([order.buyerName, order.buyerEmail]).toEqual(['Mei Ling', buyerEmail]),
    'ticketing-order-group-admit-date': ({ order }) => expect(order.admitDate).toBe(day(7)),
    'ticketing-order-group-is-email-sent': ({ order }) => expect(order.isEmailSent).toEqual(truth),
    'ticketing-order-group-created-at': ({ order }) => expect(order.createdAt).toEqual(timestamp),

    'ticketing-order-item-fields': ({ order, group }) => {
      const [item] = order.items;
      expect(item).toMatchObject({
        orderTicketGroupId: order.orderTicketGroupId,
        itemId: group.itemId,
        unitPrice: 45,
        itemDesc1: text,
        itemDesc2: text,
        variant: 'Adult',
        quantityBought: 2,
        admitDate: day(7),
        encryptedId: expect.stringMatching(/./),
      });
      expect([order.items.length, isCount(item.orderTicketInfoId)]).toEqual([1, true]);
    },
  }),

  'ticketing-order-log-fields': holds(async (server) => {
    const { orderNo, order } = await paidOrder(server);
    const query = `query ($orderNo: String!) { order(orderNo: $orderNo) {
      logs { orderTicketLogId orderTicketGroupId performedBy type title message date } } }`;
    const { logs } = await ask(server, await server.acmeAdmin(), query, { orderNo });
    expect(logs.length).toBeGreaterThan(1);
    for (const entry of logs)
      expect(entry).toEqual({
        orderTicketLogId: expect.stringMatching(/^\d+$/),
        orderTicketGroupId: String(order.orderTicketGroupId),
        performedBy: text,
        type: text,
        title: text,
        message: text,
        date: text,
      });
  }, 'the documents show no route for it: it is read over GraphQL'),
};
