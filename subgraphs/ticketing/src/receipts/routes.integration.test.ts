import { randomUUID } from 'node:crypto';

import type { TransactionStatus } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import type { Refusal } from '@foyer/shared/errors';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noLimits, openLimits } from '../limits/limits.ts';
import { startScratchDatabase } from '../testing/scratch-database.ts';
import { createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import type { Receipt } from './pdf/receipt.ts';
import { openReceiptPrinter } from './pdf/receipt-printer.ts';
import { receiptRoutes } from './routes.ts';

const perMinute = { guestOrders: 1, inquiries: 1, paymentTokens: 1, receipts: 20, resends: 1 };
const receiptPrinter = openReceiptPrinter();
const wide: Receipt = {
  language: 'en',
  orderNo: '',
  buyerName: 'Siti',
  buyerEmail: 'siti@example.my',
  groupName: 'Night at the Museum',
  location: '',
  organiser: '',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [],
  totalSen: 0n,
  paidAt: new Date('2026-12-01T16:30:00Z'),
  bankName: '',
  gatewayTransactionId: '',
  tickets: [],
};
let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let app: FastifyInstance;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  app = Fastify();
  answerErrors(app, openLog('silent'));
  const limits = openLimits(perMinute, { clock: systemClock, log: openLog('silent') });
  await app.register(receiptRoutes({ db: scratch.db, receiptPrinter, limits }));
});
afterAll(async () => {
  await app.close();
  await receiptPrinter.stop();
  await scratch.stop();
});

async function anOrder(transactionStatus: TransactionStatus): Promise<string> {
  const { ticketGroupId } = await createTicketGroupOnSale(scratch.db, { dailyCapacity: 10 });
  const { orderNo } = await scratch.db.orderTicketGroup.create({
    data: {
      ticketGroupId: BigInt(ticketGroupId),
      organizationId: randomUUID(),
      workspaceId: randomUUID(),
      custId: await createGuest(scratch.db),
      langChosen: 'en',
      transactionId: randomUUID(),
      orderNo: `ORD-${randomUUID().toUpperCase()}`,
      billId: randomUUID(),
      productId: 'TG1',
      transactionStatus,
      totalAmountSen: 0n,
      quantity: 1,
      buyerName: 'Siti',
      buyerEmail: 'siti@example.my',
      admitDate: new Date('2026-12-24T00:00:00Z'),
    },
  });
  return orderNo;
}
const ask = (orderNo: string, headers = {}) => app.inject({ url: '/pdf/receipt', query: { orderNo }, headers });

describe('GET /pdf/receipt', () => {
  it('shows the PDF of a settled order, and keeps it out of every cache', async () => {
    const orderNo = await anOrder('FREE');

    const response = await ask(orderNo);

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${orderNo}.pdf"`,
      'cache-control': 'no-store',
    });
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('answers 304 when the client has it already', async () => {
    const orderNo = await anOrder('FREE');
    const etag = String((await ask(orderNo)).headers.etag);

    expect((await ask(orderNo, { 'if-none-match': etag })).statusCode).toBe(304);
  });

  it.each(['INITIATED', 'PENDING', 'FAILED'] as const)('has nothing to show of an order that is %s', async (status) => {
    const response = await ask(await anOrder(status));

    expect([response.statusCode, response.json().code]).toEqual([409, 'ORDER_NOT_PAID']);
  });

  it('answers 404 for every other order', async () => {
    expect((await ask('ORD-NONE')).statusCode).toBe(404);
  });

  it.each(['', '?orderNo=', '?orderNo=%00', '?orderNo=a&orderNo=b', '?orderNo[]=a'])(
    'does not understand %j',
    async (query) => {
      expect((await app.inject({ url: `/pdf/receipt${query}` })).statusCode).toBe(400);
    },
  );

  it('shows it to a stranger while somebody asks for a hundred, and refuses them those that have no place', async () => {
    const orderNo = await anOrder('FREE');
    const print = (orderNo: number) => receiptPrinter.print({ ...wide, orderNo: `${orderNo}` }, 'one');
    const greedy = Promise.allSettled(Array.from({ length: 100 }, (_, index) => print(index)));
    const served = await ask(orderNo);
    const outcomes = await greedy;

    expect(served.statusCode).toBe(200);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Refusal);
    expect(refused.length).toBeGreaterThan(50);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['RECEIPTS_BUSY']));
  });

  it('answers 503 with Retry-After when there is no place', async () => {
    const printer = openReceiptPrinter({ waiting: { ofCaller: 1, ofAll: 1 } });
    const busy = Fastify();
    answerErrors(busy, openLog('silent'));
    await busy.register(receiptRoutes({ db: scratch.db, receiptPrinter: printer, limits: noLimits }));
    const numbers = await Promise.all(Array.from({ length: 4 }, () => anOrder('FREE')));

    const responses = await Promise.all(
      numbers.map((orderNo) => busy.inject({ url: '/pdf/receipt', query: { orderNo } })),
    );
    await busy.close();
    await printer.stop();

    const refused = responses.filter(({ statusCode }) => statusCode === 503);
    expect(responses.filter(({ statusCode }) => statusCode === 200).length + refused.length).toBe(4);
    expect(refused[0]?.json()).toMatchObject({ success: false, code: 'RECEIPTS_BUSY' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('limits each address', async () => {
    const asks = Array.from({ length: 21 }, () =>
      app.inject({ url: '/pdf/receipt?orderNo=ORD-NONE', remoteAddress: '192.0.2.7' }),
    );
    const refused = (await Promise.all(asks)).filter(({ statusCode }) => statusCode === 429);

    expect(refused).toHaveLength(1);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]?.json()).toMatchObject({ success: false, code: 'RATE_LIMITED' });
  });
});
