import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import formbody from '@fastify/formbody';
import { systemClock, type Clock } from '@foyer/shared/clock';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';

import { claimsAt, isSealed, sealClaims, wireKeys, type WireKeys } from '../adapters/pgv1.ts';
import { momentOfStamp } from '../calendar.ts';
import { senOfText } from '../money.ts';
import { openDesk, type Desk } from './bank/desk.ts';
import { banks, outcomeNames } from './bank/outcomes.ts';
import { listPage, messagePage, paymentPage } from './bank/pages.ts';
import { openStore, type Payment, type Store } from './bank/store.ts';

interface Options {
  /** Where it keeps its books. */
  folder: string;
  /** Shared with the house: 32 bytes in base64url. */
  secret: string;
  /** Accepted too, while a new secret is being introduced. */
  previousSecret?: string;
  /** Where browsers reach it, when that is elsewhere. */
  publicUrl?: string;
  port?: number;
  clock?: Clock;
}

const SKEW_MS = 5 * 60_000;
const LISTED = 50;

const Fields = z.record(z.string().max(64), z.string().max(2_000));
const PayForm = z.object({
  agToken: z.string().min(1),
  orderNo: z.string().min(1),
  billId: z.string().min(1),
  transactionId: z.string().min(1),
  productDesc: z.string(),
  buyerName: z.string(),
  bankCode: z.string(),
  msgToken: z.enum(['01', '02']),
  currency: z.literal('MYR'),
  redirectUrl: z.url(),
  token: z.string().min(1),
  totalAmount: z.string(),
});
const PageKey = z.object({ orderNo: z.string(), pageKey: z.string() });
const Wish = z.object({
  orderNo: z.string(),
  outcome: z.enum(outcomeNames),
  pageKey: z.string().optional(),
  minutes: z.coerce.number().min(0).max(600).optional(),
  delayMs: z.number().min(0).max(36_000_000).optional(),
  repeat: z.int().min(0).max(100).optional(),
});

interface Bank {
  store: Store;
  desk: Desk;
  /** The newest first; it seals with that one. */
  keys: readonly [WireKeys, ...WireKeys[]];
  clock: Clock;
}

/**
 * A payment gateway to try the house with: its own server, its own books, no knowledge of the house but the
 * shared secret and the wire PGv1. People decide on its page; tests by `POST /decide` with JSON.
 *
 * It leaves out: logins, a choice of accounts, two signatures of a company, refunds, settlement files, the
 * memory of nonces of requeries. After a crash it does not repeat a copy that was on its way, only late ones
 * that were not due yet.
 */
export async function startPaymentGateway(options: Options): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, secret, previousSecret, port = 0, clock = systemClock } = options;
  const closing = new AbortController();
  const keysOf = (text: string) => wireKeys(Buffer.from(text, 'base64url'));
  const keys: Bank['keys'] = [keysOf(secret), ...(previousSecret ? [keysOf(previousSecret)] : [])];
  const store = await openStore(folder);
  const desk = openDesk({ store, keys: keys[0], clock, signal: closing.signal });

  const app = Fastify({ forceCloseConnections: true });
  await app.register(formbody);
  let publicUrl = options.publicUrl?.replace(/\/$/, '');
  app.get('/', (_request, response) => response.redirect(`${publicUrl}/payments`));
  mountPages(app, { store, desk, keys, clock });
  mountApi(app, { store, desk, keys, clock });
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  publicUrl ??= url;
  await desk.resume();

  return {
    url,
    async stop() {
      closing.abort();
      await app.close();
    },
  };
}

/** What a buyer's browser sees. */
function mountPages(app: FastifyInstance, bank: Bank) {
  const { store, desk, clock } = bank;
  const refuse = (response: Parameters<typeof messagePage>[0], code: string, why: string) =>
    messagePage(response, { status: 400, title: 'This payment can not start', lead: `${why} (${code})` });

  app.post('/pay', async (request, response) => {
    const fields = Fields.safeParse(request.body);
    if (!fields.success || !isSealed(fields.data, bank.keys)) return refuse(response, 'XC', 'The form was changed.');
    if (!isTimely(fields.data, clock.now())) return refuse(response, 'XW', 'The form is too old.');
    const form = PayForm.safeParse(fields.data);
    const amountSen = form.success && senOfText(form.data.totalAmount);
    if (!form.success || !amountSen) return refuse(response, 'XF', 'The form is not complete.');
    if (!(await store.spend(form.data.token))) return refuse(response, 'XT', 'The form was used before.');

    const { token: _token, totalAmount: _totalAmount, ...wanted } = form.data;
    const before = await store.find(wanted.orderNo);
    const payment: Payment = {
      ...wanted,
      amountSen: String(amountSen),
      pageKey: randomBytes(16).toString('base64url'),
      openedAt: clock.now().toISOString(),
      decision: before?.decision ?? null,
    };
    await store.save(payment);
    return paymentPage(response, payment, clock.now());
  });

  app.get('/pay', async (request, response) => {
    const asked = PageKey.safeParse(request.query);
    const payment = asked.success && (await store.find(asked.data.orderNo));
    if (!payment || payment.pageKey !== asked.data.pageKey) return refuse(response, 'XN', 'There is no such payment.');
    return paymentPage(response, payment, clock.now());
  });

  app.get('/payments', async (_request, response) => listPage(response, (await store.list()).slice(0, LISTED), clock.now()));

  app.post('/decide', async (request, response) => {
    const wish = Wish.safeParse(request.body);
    if (!wish.success) return response.code(400).send({ error: z.prettifyError(wish.error) });
    const { orderNo, pageKey, outcome, minutes, repeat } = wish.data;
    const byPage = !request.headers['content-type']?.startsWith('application/json');
    const payment = await store.find(orderNo);
    if (!payment || (byPage && payment.pageKey !== pageKey)) {
      return byPage ? refuse(response, 'XN', 'There is no such payment.') : response.code(404).send({ error: 'no such payment' });
    }
    const delayMs = wish.data.delayMs ?? (outcome === 'late' ? (minutes ?? 0) * 60_000 : 0);
    const redirect = await desk.decide(payment, { outcome, delayMs, repeat });
    if (!byPage) return { redirect };
    if (redirect) return response.redirect(redirect, 303);
    const back = new URL(payment.redirectUrl).origin;
    return messagePage(response, { title: 'Done', lead: 'You may close this window.', back });
  });
}

/** What the house asks from server to server. */
function mountApi(app: FastifyInstance, { store, desk, keys, clock }: Bank) {
  const sealed = (body: unknown) => {
    const fields = Fields.safeParse(body);
    return fields.success && isSealed(fields.data, keys) && isTimely(fields.data, clock.now()) ? fields.data : null;
  };

  app.post('/banks', async (request, response) => {
    const fields = sealed(request.body);
    if (!fields) return response.code(403).send({ error: 'XC' });
    return { banks: banks[fields['msgToken'] === '02' ? '02' : '01'] };
  });

  app.post('/requery', async (request, response) => {
    const fields = sealed(request.body);
    if (!fields) return response.code(403).send({ error: 'XC' });
    const { orderNo = '', billId = '', agToken = '' } = fields;
    const payment = await store.find(orderNo);
    if (payment?.billId === billId) return { payload: await desk.say(payment) };
    const nobody = { transactionId: '', gatewayTransactionId: '', bankCode: '', bankName: '', msgToken: '' };
    const said = { ...nobody, orderNo, billId, aud: agToken, jti: randomUUID(), currency: 'MYR' };
    const unknown = { ...said, statusCode: '76', statusMessage: 'Not found', amountSen: 0n, paidAt: null };
    return { payload: await sealClaims(claimsAt(clock.now(), unknown), keys[0]) };
  });
}

function isTimely(fields: Readonly<Record<string, string>>, now: Date): boolean {
  const moment = momentOfStamp(fields['timestamp'] ?? '');
  return moment !== null && Math.abs(now.getTime() - moment.getTime()) <= SKEW_MS;
}
