import { expect } from 'vitest';

import { goToTheBank, submit } from '../../support/servers/bank.ts';
import { mailsTo } from '../../support/servers/inbox.ts';
import { day } from '../../support/fixtures/storefront.ts';
import { until } from '../../support/until.ts';
import { holds, NotRun, type Rows } from '../framework/row.ts';
import type { Server } from '../framework/server.ts';
import { words } from '../framework/shapes.ts';
import {
  approveUntold,
  comeBack,
  decideAtTheBank,
  freeGroup,
  inquire,
  newGroup,
  ordersOf,
  paidOrder,
  place,
  placed,
  placeFree,
  statusOf,
} from './shop.ts';

const toTheBank = (server: Server, orderNo: string) => submit(new URL('/payment/process', server.url), { orderNo });

/** An address that nobody else's mail goes to. */
const address = (server: Server, name: string) => `${name}-${server.mode}-${Date.now()}@example.test`;

/** The confirmation that an address gets: with the tickets as PDF. */
async function confirmationTo(server: Server, email: string) {
  if ((await server.send('GET', '/sim/inbox/email')).status !== 200) throw new NotRun('needs the embedded inbox');
  const [mail] = await until(`a mail to ${email}`, async () => {
    const mails = await mailsTo(server, email);
    return mails.length > 0 && mails;
  });
  expect(mail?.attachments).toContainEqual(expect.objectContaining({ contentType: 'application/pdf' }));
}

/** "Order transactionStatus". */
export const orderStates: Rows = {
  'ticketing-order-status-values': holds(async (server) => {
    const group = await newGroup(server);
    const [initiated, pending, success, failed] = [
      await placed(server, { group }),
      await placed(server, { group }),
      await placed(server, { group }),
      await placed(server, { group }),
    ];
    await toTheBank(server, pending);
    await comeBack(server, success, 'approve');
    await comeBack(server, failed, 'reject');
    const { json: free } = await placeFree(server);
    for (const [status, orderNo, where] of [
      ['INITIATED', initiated, group],
      ['PENDING', pending, group],
      ['SUCCESS', success, group],
      ['FAILED', failed, group],
      ['FREE', free.orderNo as string, await freeGroup(server)],
    ] as const) {
      const query = `&status=${status}&query=${orderNo}`;
      expect([status, await ordersOf(server, where, query)]).toEqual([status, [orderNo]]);
      expect([status, await statusOf(server, orderNo)]).toEqual([status, status]);
    }
    const { headers } = await server.acmeAdmin();
    const unknown = await server.send('GET', '/api/orderTicketGroups/management?status=REFUNDED', { headers });
    expect(unknown.status).toBe(400);
  }),

  'ticketing-order-status-new-to-initiated': holds(async (server) => {
    const group = await newGroup(server, { dailyCapacity: 2 });
    const orderNo = await placed(server, { group });
    const { json } = await inquire(server, orderNo);
    expect(json).toMatchObject({ transactionStatus: 'INITIATED', bankCurrentStatus: '', isEmailSent: false });

    const item = { itemId: group.itemId, unitPrice: 45, quantityBought: 2 };
    for (const [differently, expected] of [
      [{}, [409, 'SOLD_OUT']],
      [{ items: [{ ...item, quantityBought: 101 }] }, [400, 'LIMIT']],
      [{ items: [{ ...item, quantityBought: 0 }] }, [400, 'LIMIT']],
      [{ items: [{ ...item, itemId: 'NOBODYS' }] }, [400, 'ITEM_NOT_OFFERED']],
      [{ admitDate: day(-1) }, [400, 'INVALID_DATE']],
      [{ admitDate: '2027-02-30' }, [400, 'INVALID_DATE']],
      [{ ticketGroupId: 999_999_999 }, [404, 'TICKET_GROUP_NOT_FOUND']],
    ] as const) {
      const { status, json: refused } = await place(server, { group, differently });
      expect([differently, status, refused.code]).toEqual([differently, ...expected]);
    }
    expect(await ordersOf(server, group)).toEqual([orderNo]);
  }),

  'ticketing-order-status-new-to-free': holds(async (server) => {
    const buyerEmail = address(server, 'free');
    const { status, json } = await placeFree(server, { buyerEmail });
    expect([status, await statusOf(server, json.orderNo)]).toEqual([200, 'FREE']);
    const { json: order } = await inquire(server, json.orderNo, buyerEmail);
    expect(order).toMatchObject({ totalAmount: 0, items: [{ encryptedId: words }] });
    await confirmationTo(server, buyerEmail);

    const group = await newGroup(server);
    const items = [{ itemId: group.itemId, unitPrice: 45, quantityBought: 1 }];
    const costs = await placeFree(server, { ticketGroupId: Number(group.ticketGroupId), items });
    expect([costs.status >= 400, await ordersOf(server, group)]).toEqual([true, []]);
  }),

  'ticketing-order-status-initiated-to-pending': holds(async (server) => {
    const orderNo = await placed(server);
    const page = await toTheBank(server, orderNo);
    expect([page.status, await statusOf(server, orderNo)]).toEqual([200, 'PENDING']);
    const again = await toTheBank(server, orderNo); // the buyer went back
    expect([again.status, await statusOf(server, orderNo)]).toEqual([200, 'PENDING']);

    const { orderNo: paid } = await paidOrder(server);
    const twice = await toTheBank(server, paid);
    expect([twice.status, await statusOf(server, paid)]).toEqual([409, 'SUCCESS']);
  }),

  'ticketing-order-status-pending-to-success': holds(async (server) => {
    const buyerEmail = address(server, 'paid');
    const orderNo = await placed(server, { differently: { buyerEmail } });
    const tampered = await comeBack(server, orderNo, 'tampered');
    expect([tampered.location, await statusOf(server, orderNo)]).toEqual([
      expect.stringMatching(/^\/payment\/failure\?/),
      'PENDING',
    ]);
    const back = await decideAtTheBank(server, orderNo, 'approve');
    for (const _ of ['once', 'and again']) {
      const { headers } = await server.send('GET', back.href);
      expect([headers.get('location'), await statusOf(server, orderNo)]).toEqual([
        `/payment/success?orderNo=${orderNo}`,
        'SUCCESS',
      ]);
    }
    expect((await inquire(server, orderNo, buyerEmail)).json.items).toMatchObject([{ encryptedId: words }]);
    await confirmationTo(server, buyerEmail);
  }),

  'ticketing-order-status-pending-to-failed': holds(async (server) => {
    const group = await newGroup(server, { dailyCapacity: 2 });
    const orderNo = await placed(server, { group });
    const { location } = await comeBack(server, orderNo, 'reject');
    expect([location, await statusOf(server, orderNo)]).toEqual([
      expect.stringMatching(/^\/payment\/failure\?/),
      'FAILED',
    ]);
    const { json } = await inquire(server, orderNo);
    expect(json).toMatchObject({ bankCurrentStatus: words, isEmailSent: false, items: [{ encryptedId: '' }] });
    const page = await server.send('GET', location ?? '');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(orderNo)]);
    expect((await toTheBank(server, orderNo)).status).toBe(409);
    expect((await server.send('GET', `/pdf/receipt?orderNo=${orderNo}`)).status).toBe(409);
    expect((await place(server, { group })).status).toBe(200); // its places are free again
  }),
};

/** "Events", as far as they are about payments. */
export const paymentEvents: Rows = {
  'ticketing-events-payment-return': holds(async (server) => {
    const orderNo = await placed(server);
    const back = await approveUntold(server, orderNo);
    expect([back.pathname, await statusOf(server, orderNo)]).toEqual(['/payment/return', 'PENDING']);
    await server.send('GET', back.href);
    expect(await statusOf(server, orderNo)).toBe('SUCCESS');

    // From server to server, where the buyer has closed the window.
    const unseen = await placed(server);
    await goToTheBank(server, unseen);
    const { status } = await server.send('POST', '/sim/bank/decide', {
      body: { orderNo: unseen, outcome: 'callback-only' },
    });
    expect(status).toBe(200);
    await until('the call of the bank', async () => (await statusOf(server, unseen)) === 'SUCCESS');
  }),

  'ticketing-events-confirmation': holds(async (server) => {
    const buyerEmail = address(server, 'mailed');
    const orderNo = await placed(server, { differently: { buyerEmail } });
    await comeBack(server, orderNo, 'approve');
    await confirmationTo(server, buyerEmail);
    const { headers } = await server.acmeAdmin();
    await until('isEmailSent', async () => {
      const { json } = await server.send('GET', `/api/orderTicketGroup?orderNo=${orderNo}`, { headers });
      return json.isEmailSent === true;
    });
  }),
};
