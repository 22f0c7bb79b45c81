import { randomBytes } from 'node:crypto';

import type { Clock } from '@foyer/shared/clock';
import { badInput } from '@foyer/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { isSealed, type WireKeys } from '../../adapters/pgv1.ts';
import { momentOfStamp } from '../../units/calendar.ts';
import { senOfText } from '../../units/money.ts';
import type { Decisions } from './decisions.ts';
import { outcomeNames } from './outcomes.ts';
import { messagePage, paymentPage } from './pages.ts';
import { paymentNotFound } from './refusals.ts';
import type { Payment, Store } from './store.ts';

export interface Bank {
  store: Store;
  decisions: Decisions;
  /** The newest first; it seals. */
  keys: readonly [WireKeys, ...WireKeys[]];
  /** The id of that key. */
  kid: string;
  clock: Clock;
}

const SKEW_MS = 5 * 60_000;

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

/** Reads the fields of a message from Foyer; otherwise says why it is refused: XC changed, XW too old. */
export function readSealed({ keys, clock }: Bank, body: unknown): Record<string, string> | 'XC' | 'XW' {
  const fields = Fields.safeParse(body);
  if (!fields.success || !isSealed(fields.data, keys)) return 'XC';
  const moment = momentOfStamp(fields.data['timestamp'] ?? '');
  const isTimely = moment !== null && Math.abs(clock.now().getTime() - moment.getTime()) <= SKEW_MS;
  return isTimely ? fields.data : 'XW';
}

/** Takes Foyer's form from the buyer's browser: saves the payment and shows its page. */
export async function openPayment(bank: Bank, body: unknown, response: FastifyReply) {
  const fields = readSealed(bank, body);
  if (fields === 'XC') return refuse(response, 'XC', 'The form was changed.');
  if (fields === 'XW') return refuse(response, 'XW', 'The form is too old.');
  const form = PayForm.safeParse(fields);
  const amountSen = form.success && senOfText(form.data.totalAmount);
  if (!form.success || !amountSen) return refuse(response, 'XF', 'The form is not complete.');
  if (!(await bank.store.spend(form.data.token))) return refuse(response, 'XT', 'The form was used before.');

  const { token: _token, totalAmount: _totalAmount, ...wanted } = form.data;
  const before = await bank.store.find(wanted.orderNo);
  const payment: Payment = {
    ...wanted,
    amountSen: String(amountSen),
    pageKey: randomBytes(16).toString('base64url'),
    openedAt: bank.clock.now().toISOString(),
    decision: before?.decision ?? null,
  };
  await bank.store.save(payment);
  return paymentPage(response, payment, bank.clock.now());
}

/** Shows the page of a payment again to the browser that knows its key. */
export async function showPayment({ store, clock }: Bank, query: unknown, response: FastifyReply) {
  const params = PageKey.safeParse(query);
  const payment = params.success && (await store.find(params.data.orderNo));
  const isTheirs = payment && payment.pageKey === params.data.pageKey;
  return isTheirs ? paymentPage(response, payment, clock.now()) : unknownPayment(response);
}

/** Decides a payment: by a person on the page, or by a test with JSON, which needs no page key. */
export async function decidePayment({ store, decisions }: Bank, request: FastifyRequest, response: FastifyReply) {
  const byTest = request.headers['content-type']?.startsWith('application/json') ?? false;
  const wish = Wish.safeParse(request.body);
  if (!wish.success) {
    if (!byTest) return refuse(response, 'XF', 'The form is not complete.');
    throw badInput(wish.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { orderNo, pageKey, outcome, minutes = 0, repeat } = wish.data;
  const payment = await store.find(orderNo);
  if (byTest && !payment) throw paymentNotFound();
  if (!payment || (!byTest && payment.pageKey !== pageKey)) return unknownPayment(response);

  const delayMs = wish.data.delayMs ?? (outcome === 'late' ? minutes * 60_000 : 0);
  const redirect = await decisions.decide(payment, { outcome, delayMs, repeat });
  if (byTest) return response.send({ redirect });
  if (redirect) return response.redirect(redirect, 303);
  const back = new URL(payment.redirectUrl).origin;
  return messagePage(response, { title: 'Done', lead: 'You may close this window.', back });
}

const refuse = (response: FastifyReply, code: string, why: string) =>
  messagePage(response, { status: 400, title: 'This payment can not start', lead: `${why} (${code})` });

const unknownPayment = (response: FastifyReply) =>
  messagePage(response, { status: 404, title: 'Nothing here', lead: 'There is no such payment.' });
