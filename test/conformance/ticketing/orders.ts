import { expect } from 'vitest';

import { day } from '../../support/fixtures/storefront.ts';
import { fieldsOf } from '../framework/per-server.ts';
import { holds, type Rows } from '../framework/row.ts';
import { isCount, timestamp, truth, uuid, words } from '../framework/shapes.ts';
import { asStaff, buyerEmail, inquire, paidOrder, place } from './shop.ts';

/** "Order group", "Order item", "Order log entry": what their readers are shown. */
export const orderFields: Rows = {
  ...fieldsOf(paidOrder, {
    'ticketing-order-group-order-ticket-group-id': ({ order }) =>
      expect([order.orderTicketGroupId, isCount(order.orderTicketGroupId)]).toEqual([expect.any(Number), true]),
    'ticketing-order-group-lang-chosen': ({ order }) => expect(order.langChosen).toBe('EN'),
    'ticketing-order-group-ticket-group-id': ({ order, group }) =>
      expect(order.ticketGroupId).toBe(Number(group.ticketGroupId)),
    'ticketing-order-group-cust-id': ({ order, custId }) => expect(order.custId).toBe(custId),
    'ticketing-order-group-transaction-id': async ({ order }, server) => {
      expect(order.transactionId).toEqual(uuid);
      const { json: placed } = await place(server);
      expect((await inquire(server, placed.orderNo)).json.transactionId).toBe(placed.transactionId);
      expect(placed.transactionId).not.toBe(order.transactionId);
    },
    'ticketing-order-group-order-no': async ({ order, orderNo }, server) => {
      expect([order.orderNo, orderNo]).toEqual([orderNo, words]);
      expect((await place(server)).json.orderNo).not.toBe(orderNo);
    },
    'ticketing-order-group-transaction-status': ({ order }) => expect(order.transactionStatus).toBe('SUCCESS'),
    'ticketing-order-group-bank-current-status': async ({ order }, server) => {
      expect(order.bankCurrentStatus).toEqual(words);
      const { json: unpaid } = await place(server);
      expect((await inquire(server, unpaid.orderNo)).json.bankCurrentStatus).toBe('');
    },
    'ticketing-order-group-total-amount': ({ order }) => expect(order.totalAmount).toBe(90),
    'ticketing-order-group-buyer-name-buyer-email': ({ order }) =>
      expect([order.buyerName, order.buyerEmail]).toEqual(['Mei Ling', buyerEmail]),
    'ticketing-order-group-admit-date': ({ order }) => expect(order.admitDate).toBe(day(7)),
    'ticketing-order-group-is-email-sent': async ({ order }, server) => {
      expect(order.isEmailSent).toEqual(truth);
      const { json: unpaid } = await place(server);
      expect((await inquire(server, unpaid.orderNo)).json.isEmailSent).toBe(false);
    },
    'ticketing-order-group-created-at': ({ order }) => expect(order.createdAt).toEqual(timestamp),

    'ticketing-order-item-fields': async ({ order, group }, server) => {
      const asInTheCatalogue = {
        orderTicketInfoId: expect.any(Number),
        orderTicketGroupId: expect.any(Number),
        itemId: group.itemId,
        unitPrice: 45,
        itemDesc1: 'Dewasa',
        itemDesc2: 'Adult',
        itemDesc3: '成人',
        variant: 'Adult',
        quantityBought: 2,
        admitDate: day(7),
        encryptedId: '',
      };
      const [item] = order.items;
      expect(order.items).toEqual([{ ...asInTheCatalogue, encryptedId: words }]);
      expect([item.orderTicketGroupId, isCount(item.orderTicketInfoId)]).toEqual([order.orderTicketGroupId, true]);

      // The texts on a ticket come from the catalogue, whatever the client has sent.
      const called = { variant: 'VIP', itemDesc1: 'Utama', itemDesc2: 'Front row', itemDesc3: '前排' };
      const items = [{ itemId: group.itemId, unitPrice: 45, quantityBought: 2, ...called }];
      const { json: placed } = await place(server, { group, differently: { items } });
      expect((await inquire(server, placed.orderNo)).json.items).toEqual([asInTheCatalogue]);
    },
  }),

  'ticketing-order-log-fields': holds(async (server) => {
    const { orderNo, order } = await paidOrder(server);
    const { logs } = await asStaff(server, orderNo);
    for (const entry of logs)
      expect(entry).toEqual({
        orderTicketLogId: expect.any(Number),
        orderTicketGroupId: order.orderTicketGroupId,
        performedBy: words,
        type: words,
        title: words,
        message: words,
        date: words,
      });
    const ids = logs.map(({ orderTicketLogId }) => orderTicketLogId);
    expect([ids.every(isCount), new Set(ids).size]).toEqual([true, logs.length]);
    expect(logs.map(({ type }) => type)).toEqual(expect.arrayContaining(['order', 'payment']));
    expect(logs.map(({ type }) => type).filter((type) => !/^(order|payment|email|admin)$/.test(type))).toEqual([]);
    expect(order.logs).toEqual([]); // its buyer reads none
  }, 'the documents show no route for it: staff read it with the order'),
};
