import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TransactionStatus } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';

import { paymentGateway } from '../adapters/payment-gateway.ts';
import { claimsAt, sealClaims, wireKeys } from '../adapters/pgv1.ts';
import type { Context } from '../context.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { acceptPaymentReturn } from './accept-payment-return.ts';
import { decryptPayload } from './decrypt-payload.ts';

const secret = randomBytes(32);
const agentToken = 'foyer-test';
const at = { url: 'http://127.0.0.1:1', publicUrl: '', agentToken, secret, timeoutMs: 1_000 };

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
let context: Context;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
  context = { ...ticketing.context, paymentGateway: paymentGateway(at, systemClock) };
}, 60_000);
afterAll(() => ticketing.stop());

type Order = Awaited<ReturnType<typeof buyer.orders>>;
interface Said {
  statusCode: string;
  amountSen?: bigint;
  currency?: string;
  gatewayTransactionId?: string;
  billId?: string;
  aud?: string;
  jti?: string;
}

/** What a gateway that knows our secret would send about an order. */
const payloadOf = ({ orderNo, billId, transactionId, totalAmountSen }: Order, said: Said) =>
  sealClaims(
    claimsAt(new Date(), {
      jti: randomUUID(),
      aud: agentToken,
      orderNo,
      billId,
      transactionId,
      gatewayTransactionId: 'G-1',
      statusMessage: 'said',
      amountSen: totalAmountSen,
      currency: 'MYR',
      bankCode: 'SIM0001',
      bankName: 'Bank',
      msgToken: '01',
      paidAt: said.statusCode === '00' ? new Date() : null,
      ...said,
    }),
    wireKeys(secret),
  );
const bring = async (order: Order, said: Said) => acceptPaymentReturn(context, await payloadOf(order, said));

type State = 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'PENDING, under review';
async function anOrderIn(state: State): Promise<Order> {
  const order = await buyer.orders();
  if (state.startsWith('PENDING')) await buyer.pays(order.orderNo);
  if (state === 'PENDING, under review') await bring(order, { statusCode: '00', amountSen: 1n });
  if (state === 'SUCCESS') await bring(order, { statusCode: '00' });
  if (state === 'FAILED') await bring(order, { statusCode: '51' });
  return order;
}

const paid = { statusCode: '00' };
const success = '/payment/success?orderNo=…';
const waiting = '/payment/success?orderNo=…&status=PENDING';
const failure = '/payment/failure?orderNo=…';
const review = '/payment/failure?orderNo=…&code=REVIEW';
const invalid = '/payment/failure?code=INVALID_PAYLOAD';

type Cell = [
  what: string,
  before: State,
  said: Said,
  after: TransactionStatus,
  redirect: string,
  reviewReason: string | null,
];
const open = ['INITIATED', 'PENDING'] as const;
const cells: Cell[] = [
  ...open.map((state): Cell => ['that it is paid', state, paid, 'SUCCESS', success, null]),
  ['that it is paid, as before', 'SUCCESS', paid, 'SUCCESS', success, null],
  [
    'that it is paid a second time',
    'SUCCESS',
    { ...paid, gatewayTransactionId: 'G-2' },
    'SUCCESS',
    success,
    'DOUBLE_PAYMENT',
  ],
  ['that it is paid late, while there is room', 'FAILED', paid, 'SUCCESS', success, null],
  ...(
    [
      ['that one sen was paid', { ...paid, amountSen: 1n }],
      ['that it is paid in another currency', { ...paid, currency: 'SGD' }],
    ] as const
  ).flatMap(([what, said]): Cell[] => [
    [what, 'INITIATED', said, 'INITIATED', review, 'AMOUNT_MISMATCH'],
    [what, 'PENDING', said, 'PENDING', review, 'AMOUNT_MISMATCH'],
    [what, 'SUCCESS', said, 'SUCCESS', success, 'AMOUNT_MISMATCH'],
    [what, 'FAILED', said, 'FAILED', review, 'AMOUNT_MISMATCH'],
  ]),
  ...['09', '99', 'AP'].flatMap((statusCode): Cell[] => [
    ...open.map((state): Cell => [
      `that it is not decided (${statusCode})`,
      state,
      { statusCode },
      'PENDING',
      waiting,
      null,
    ]),
    [`that it is not decided (${statusCode})`, 'SUCCESS', { statusCode }, 'SUCCESS', success, null],
    [`that it is not decided (${statusCode})`, 'FAILED', { statusCode }, 'FAILED', failure, null],
  ]),
  ...['51', '1C', 'XX'].flatMap((statusCode): Cell[] => [
    ...open.map((state): Cell => [
      `that it is rejected (${statusCode})`,
      state,
      { statusCode },
      'FAILED',
      failure,
      null,
    ]),
    [`that it is rejected (${statusCode})`, 'SUCCESS', { statusCode }, 'SUCCESS', success, null],
    [`that it is rejected (${statusCode})`, 'FAILED', { statusCode }, 'FAILED', failure, null],
    // The money of another form is there, so its places are kept until staff decide.
    [
      `that it is rejected (${statusCode})`,
      'PENDING, under review',
      { statusCode },
      'PENDING',
      review,
      'AMOUNT_MISMATCH',
    ],
  ]),
  ...(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const).flatMap((state): Cell[] => [
    ['something of another bill', state, { ...paid, billId: 'BILL-2' }, state, invalid, null],
    ['something that is meant for another shop', state, { ...paid, aud: 'another shop' }, state, invalid, null],
  ]),
];

describe('a message of the gateway', () => {
  it.each(cells)('says %s, about an order that is %s', async (_what, before, said, after, redirect, reviewReason) => {
    const order = await anOrderIn(before);

    const { redirectPath } = await bring(order, said);

    expect(redirectPath).toBe(redirect.replace('…', order.orderNo));
    const { transactionStatus, tickets, deliveries, ...is } = await buyer.order(order.orderNo);
    expect({ transactionStatus, reviewReason: is.reviewReason }).toEqual({ transactionStatus: after, reviewReason });
    expect(await buyer.reserved(order)).toBe(after === 'FAILED' ? 0 : 2);
    expect([tickets.length, deliveries.length]).toEqual(after === 'SUCCESS' ? [2, 1] : [0, 0]);
  });

  it('that names an unknown order changes nothing', async () => {
    const order = await buyer.orders();

    expect((await bring({ ...order, orderNo: 'ORD-20261121-0000000000000' }, paid)).redirectPath).toBe(invalid);
  });

  it('counts once, also when its jti comes back with another order', async () => {
    const [one, two] = [await anOrderIn('PENDING'), await anOrderIn('PENDING')];
    const jti = randomUUID();
    await bring(one, { ...paid, jti });

    expect((await bring(two, { ...paid, jti })).redirectPath).toBe(waiting.replace('…', two.orderNo));

    expect(await buyer.order(two.orderNo)).toMatchObject({ transactionStatus: 'PENDING', events: [] });
  });
});

describe('decrypting a payload', () => {
  it('returns its content, and changes nothing', async () => {
    const order = await anOrderIn('PENDING');

    expect(await decryptPayload(context, await payloadOf(order, paid))).toMatchObject({ orderNo: order.orderNo });
    expect((await buyer.order(order.orderNo)).transactionStatus).toBe('PENDING');
  });

  it('is refused where it is switched off, and for an invalid payload', async () => {
    const off = { ...context, settings: { ...context.settings, decryptEnabled: false } };

    await expect(decryptPayload(off, 'anything')).rejects.toMatchObject({ reason: 'DECRYPT_DISABLED' });
    await expect(decryptPayload(context, 'anything')).rejects.toMatchObject({ reason: 'INVALID_PAYLOAD' });
  });
});
