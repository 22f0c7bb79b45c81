import { expect } from 'vitest';

import { formOf, submit } from '../../support/servers/bank.ts';
import { holds, type Rows } from '../framework/row.ts';
import type { Server } from '../framework/server.ts';
import { words } from '../framework/shapes.ts';
import { approveUntold, comeBack, place, placed, statusOf } from './shop.ts';

const process = (server: Server, fields: Record<string, string>) =>
  submit(new URL('/payment/process', server.url), fields);

/** "Payment (prefix /payment)". */
export const paymentRoutes: Rows = {
  'ticketing-payment-routes-post-payment-generate-token': holds(async (server) => {
    const { status, json } = await server.send('POST', '/payment/generateToken');
    expect([status, json]).toEqual([200, { success: true, token: words }]);
    const { json: another } = await server.send('POST', '/payment/generateToken');
    expect(another.token).not.toBe(json.token);
    const page = await process(server, { orderNo: await placed(server), token: json.token });
    expect([page.status, formOf(page.text).fields['token']]).toEqual([200, json.token]);
    const second = await placed(server); // a key is good for one form
    const spent = await process(server, { orderNo: second, token: json.token });
    expect([spent.status, await statusOf(server, second)]).toEqual([409, 'INITIATED']);
  }),

  'ticketing-payment-routes-post-payment-bank-list': holds(async (server) => {
    const list = (body: object) => server.send('POST', '/payment/bankList', { body });
    const [people, companies] = [await list({ mode: 'individual' }), await list({ mode: 'corporate' })];
    for (const { status, json } of [people, companies]) {
      expect([status, json]).toEqual([200, { success: true, banks: expect.any(Array) }]);
      expect(json.banks.length).toBeGreaterThan(0);
      for (const bank of json.banks) expect(bank).toEqual({ bankCode: words, bankName: words });
      const codes = json.banks.map(({ bankCode }: { bankCode: string }) => bankCode);
      expect(new Set(codes).size).toBe(codes.length);
    }
    expect(companies.json.banks).not.toEqual(people.json.banks);
    for (const unusable of [{ mode: 'somebody' }, { mode: '' }, {}])
      expect([unusable, (await list(unusable)).status]).toEqual([unusable, 400]);
  }),

  'ticketing-payment-routes-post-payment-process': holds(async (server) => {
    const { json: order } = await place(server);
    const {
      status,
      headers,
      text: html,
    } = await process(server, {
      orderNo: order.orderNo,
      billId: order.billId,
      productId: order.productId,
      transactionId: order.transactionId,
      totalAmount: String(order.totalAmount),
      msgToken: order.msgToken,
      productDesc: 'Museum tickets',
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toMatch(/\.submit\(\)/);
    const { action, fields } = formOf(html);
    expect(html).toMatch(/<form[^>]* method="post"/i);
    expect(fields).toMatchObject({
      orderNo: order.orderNo,
      billId: order.billId,
      transactionId: order.transactionId,
      totalAmount: '90.00',
      checksum: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    expect((await process(server, { orderNo: order.orderNo, totalAmount: '1.00' })).status).toBe(409);
    expect(await submit(action, fields)).toMatchObject({ status: 200 });

    const { json: another } = await place(server);
    const company = await process(server, { orderNo: another.orderNo, msgToken: '02', mode: 'corporate' });
    expect([company.status, formOf(company.text).fields['msgToken']]).toEqual([200, '02']);

    // As browsers post forms: with fields that were left empty, and blanks around others.
    const blank = { billId: '', productId: '', totalAmount: '', buyerName: ' Mei Ling ', productDesc: '' };
    const sparse = await process(server, { orderNo: await placed(server), ...blank });
    expect(sparse.status).toBe(200);

    const { json: third } = await place(server);
    const fetched = await server.send('POST', '/payment/process', { body: { orderNo: third.orderNo } });
    expect([fetched.status, await statusOf(server, third.orderNo)]).toEqual([415, 'INITIATED']);
  }),

  'ticketing-payment-routes-get-payment-return': holds(async (server) => {
    const [paid, rejected] = [await placed(server), await placed(server)];
    expect(await comeBack(server, paid, 'approve')).toEqual({
      status: 302,
      location: `/payment/success?orderNo=${paid}`,
    });
    expect(await comeBack(server, rejected, 'reject')).toEqual({
      status: 302,
      location: expect.stringMatching(/^\/payment\/failure\?/),
    });
    expect([await statusOf(server, paid), await statusOf(server, rejected)]).toEqual(['SUCCESS', 'FAILED']);
    const unreadable = await server.send('GET', '/payment/return?payload=forged');
    expect([unreadable.status, unreadable.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/payment\/failure\?/),
    ]);
    for (const page of ['success', 'failure']) {
      const { status, headers } = await server.send('GET', `/payment/${page}?orderNo=${paid}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  }),

  'ticketing-payment-routes-get-payment-decrypt': holds(async (server) => {
    const orderNo = await placed(server);
    const back = await approveUntold(server, orderNo);
    const { status, json } = await server.send('GET', `/payment/decrypt${back.search}`);
    expect([status, json, await statusOf(server, orderNo)]).toEqual([
      200,
      expect.objectContaining({ orderNo, statusCode: '00', amount: '90.00', currency: 'MYR', bankName: words }),
      'PENDING',
    ]);
    const changed = back.search.slice(0, -4) + (back.search.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    expect((await server.send('GET', `/payment/decrypt${changed}`)).status).toBe(400);
    await server.send('GET', back.href); // what was looked into is still good
    expect(await statusOf(server, orderNo)).toBe('SUCCESS');
  }),
};
