import { randomBytes } from 'node:crypto';

import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';

import { ringgitText } from '../../units/money.ts';
import { banks, outcomes } from './outcomes.ts';
import type { Payment } from './store.ts';

const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });

const entries = Object.entries(outcomes);
const plain = entries.slice(0, 4);
const odd = entries.slice(4);

interface Page {
  status?: number;
  title: string;
  lead: string;
  [more: string]: unknown;
}

/** The bank page of one payment. Works without scripts. */
export const paymentPage = (response: FastifyReply, payment: Payment, now: Date) =>
  send(response, payment.redirectUrl, {
    title: 'Confirm your payment',
    lead: 'You are about to pay:',
    payment,
    amount: ringgitText(BigInt(payment.amountSen)),
    bankName: bankNameOf(payment),
    state: stateOf(payment, now),
    plain,
    odd,
  });

export const listPage = (response: FastifyReply, payments: readonly Payment[], now: Date) =>
  send(response, null, {
    title: 'Payments',
    lead: 'The latest payments that Foyer has requested. Open one to decide it, or to decide it again.',
    payments: payments.map((payment) => ({
      orderNo: payment.orderNo,
      buyerName: payment.buyerName,
      amount: ringgitText(BigInt(payment.amountSen)),
      state: stateOf(payment, now),
      href: `pay?${new URLSearchParams({ orderNo: payment.orderNo, pageKey: payment.pageKey }).toString()}`,
    })),
  });

export const messagePage = (response: FastifyReply, page: Page) => send(response, null, page);

export const bankNameOf = ({ bankCode, msgToken }: Pick<Payment, 'bankCode' | 'msgToken'>): string =>
  banks[msgToken === '02' ? '02' : '01'].find((bank) => bank.bankCode === bankCode)?.bankName ?? 'Simulated Bank';

function stateOf({ decision }: Payment, now: Date): string {
  if (!decision) return 'waiting for the payer';
  if (new Date(decision.knownFrom) > now) return `will be known at ${decision.knownFrom}`;
  return `${decision.statusCode} ${decision.statusMessage} (${decision.outcome})`;
}

function send(response: FastifyReply, redirectUrl: string | null, { status = 200, ...page }: Page) {
  const nonce = randomBytes(16).toString('base64');
  // Browsers also check where the answer of a form redirects to.
  const shop = redirectUrl ? ` ${new URL(redirectUrl).origin}` : '';
  return response
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'${shop}; base-uri 'none'; frame-ancestors 'none'`,
    })
    .send(eta.render('page.eta', { payment: null, payments: null, back: null, ...page, nonce }));
}
