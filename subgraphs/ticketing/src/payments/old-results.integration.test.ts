import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { paymentGateway } from '../adapters/payment-gateway.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { acceptPaymentReturn } from './accept-payment-return.ts';

let later = 0;
const clock = { now: () => new Date(Date.now() + later) };
const minutesPass = (minutes: number) => (later += minutes * 60_000);

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock });
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

describe('a payment result that is older than a quarter of an hour', () => {
  it('is not believed: the gateway is queried', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    const payload = await buyer.bank(orderNo, 'approve');
    await buyer.bank(orderNo, 'reject'); // meanwhile the bank has another result
    minutesPass(16);

    const { redirectPath } = await buyer.returns(payload);

    expect(redirectPath).toBe(`/payment/failure?orderNo=${orderNo}`);
    expect((await buyer.order(orderNo)).events).toMatchObject([{ source: 'requery', statusCode: '51' }]);
  });

  it('has the gateway queried once a minute, however often it is repeated', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    const payload = await buyer.bank(orderNo, 'approve');
    minutesPass(16);
    const queries = async () => (await buyer.order(orderNo)).events.length;

    const paths = [];
    for (let copy = 0; copy < 3; copy++) paths.push((await buyer.returns(payload)).redirectPath);
    expect(new Set(paths)).toEqual(new Set([`/payment/success?orderNo=${orderNo}`]));
    expect(await queries()).toBe(1);

    minutesPass(2);
    await buyer.returns(payload);
    expect(await queries()).toBe(2);
  });

  it('has the gateway queried once, however many copies come before it answers, or if it does not answer', async () => {
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    const payload = await buyer.bank(orderNo, 'approve');
    minutesPass(16);
    let queries = 0;
    const isAnswering = Promise.withResolvers<void>();
    const server = createServer((_query, answer) => {
      queries += 1;
      void isAnswering.promise.then(() => answer.writeHead(503).end());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { requery } = paymentGateway(
      { url, publicUrl: '', agentToken: '', secret: new Uint8Array(32), timeoutMs: 60_000 },
      clock,
    );
    const needs = { ...ticketing.context, paymentGateway: { ...ticketing.context.paymentGateway, requery } };
    const landings: (string | null)[] = [];
    const comesBack = async () => landings.push((await acceptPaymentReturn(needs, payload)).redirectPath);

    const copies = [comesBack(), comesBack(), comesBack()];

    await expect.poll(() => landings.length).toBe(2);
    isAnswering.resolve();
    await Promise.all(copies);
    await comesBack();
    expect(new Set(landings)).toEqual(new Set([`/payment/success?orderNo=${orderNo}&status=PENDING`]));
    expect(queries).toBe(1);
    server.close();
    server.closeAllConnections();
  });
});
