import { expect } from 'vitest';

import { submit } from '../../support/bank.ts';
import { mailsTo } from '../../support/inbox.ts';
import { until } from '../../support/until.ts';
import { holds, NotRun, type Rows } from '../framework/row.ts';
import type { Server } from '../framework/server.ts';
import { comeBack, decideAtTheBank, newGroup, place, placed, placeFree, statusOf } from './shop.ts';

/** An address that nobody else's mail goes to. */
const address = (server: Server, name: string) => `${name}-${server.mode}-${Date.now()}@example.test`;

/** The confirmation that an address gets: with the tickets as PDF. */
async function confirmationTo(server: Server, email: string) {
  if ((await server.send('GET', '/sim/inbox/email')).status !== 200) throw new NotRun('needs the embedded inbox');
  const [mail] = await until(`a mail to ${email}`, async () => {
    const mails = await mailsTo(server, email);
    return mails.length > 0 && mails;
  });
  expect(mail?.attachments).toMatchObject([{ contentType: 'application/pdf' }]);
}

/** "Order transactionStatus". */
export const orderStates: Rows = {
  'ticketing-order-status-values': holds(async (server) => {
    const { headers } = await server.acmeAdmin();
    const list = (status: string) =>
      server.send('GET', `/api/orderTicketGroups/management?status=${status}`, { headers });
    for (const status of ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'FREE']) {
      const answer = await list(status);
      expect([status, answer.status]).toEqual([status, 200]);
      for (const order of answer.json.data) expect(order.transactionStatus).toBe(status);
    }
    expect((await list('REFUNDED')).status).toBe(400);
  }),

  'ticketing-order-status-new-to-initiated': holds(async (server) => {
    expect(await statusOf(server, await placed(server))).toBe('INITIATED');
    const group = await newGroup(server);
    const tooMany = [{ itemId: group.itemId, unitPrice: 45, quantityBought: 101 }];
    const { status } = await place(server, { group, differently: { items: tooMany } });
    expect([400, 409]).toContain(status);
  }),

  'ticketing-order-status-new-to-free': holds(async (server) => {
    const buyerEmail = address(server, 'free');
    const { status, json } = await placeFree(server, { buyerEmail });
    expect([status, await statusOf(server, json.orderNo)]).toEqual([200, 'FREE']);
    await confirmationTo(server, buyerEmail);
  }),

  'ticketing-order-status-initiated-to-pending': holds(async (server) => {
    const orderNo = await placed(server);
    const page = await submit(new URL('/payment/process', server.url), { orderNo });
    expect([page.status, await statusOf(server, orderNo)]).toEqual([200, 'PENDING']);
  }),

  'ticketing-order-status-pending-to-success': holds(async (server) => {
    const buyerEmail = address(server, 'paid');
    const orderNo = await placed(server, { differently: { buyerEmail } });
    const { location } = await comeBack(server, orderNo, 'approve');
    expect([location, await statusOf(server, orderNo)]).toEqual([`/payment/success?orderNo=${orderNo}`, 'SUCCESS']);
    await confirmationTo(server, buyerEmail);
  }),

  'ticketing-order-status-pending-to-failed': holds(async (server) => {
    const orderNo = await placed(server);
    const { location } = await comeBack(server, orderNo, 'reject');
    expect([location, await statusOf(server, orderNo)]).toEqual([
      expect.stringMatching(/^\/payment\/failure\?/),
      'FAILED',
    ]);
  }),
};

/** "Events", as far as they are about payments. */
export const paymentEvents: Rows = {
  'ticketing-events-payment-return': holds(async (server) => {
    const orderNo = await placed(server);
    const back = await decideAtTheBank(server, orderNo, 'approve');
    expect([back.pathname, await statusOf(server, orderNo)]).toEqual(['/payment/return', 'PENDING']);
    await server.send('GET', back.href);
    expect(await statusOf(server, orderNo)).toBe('SUCCESS');
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
