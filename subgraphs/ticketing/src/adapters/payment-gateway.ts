import { randomUUID } from 'node:crypto';

import type { Clock } from '@foyer/shared/clock';
import { readCapped } from '@foyer/shared/http/read-capped';
import { tracedCall } from '@foyer/shared/telemetry/tracing';
import { z } from 'zod';

import type { Bank, PaymentGateway, PaymentMode, PaymentRequest } from '#ports/payment-gateway.ts';

import { gatewayStamp } from '../units/calendar.ts';
import { ringgitText } from '../units/money.ts';
import { checksum, claimsOf, openClaims, wireKeys, type WireKeys } from './pgv1.ts';
import { gatewayDown } from './refusals.ts';

const BANKS_FRESH_MS = 5 * 60_000;
/** The list of all banks of a country takes a hundredth of that. */
const LONGEST_ANSWER = 1024 * 1024;

const Banks = z.object({ banks: z.array(z.object({ bankCode: z.string(), bankName: z.string() })) });
const Requeried = z.object({ payload: z.string() });

interface At {
  /** Where this server reaches it. */
  url: string;
  /** Where browsers reach it. */
  publicUrl: string;
  agentToken: string;
  secret: Uint8Array;
  /** Still accepted while a new secret is rolled out; nothing new is sealed with it. */
  previousSecret?: Uint8Array | undefined;
  timeoutMs: number;
}

/** Speaks to the payment gateway over its protocol PGv1. */
export function paymentGateway(at: At, clock: Clock): PaymentGateway {
  const current = wireKeys(at.secret);
  const keys: WireKeys[] = [current, ...(at.previousSecret ? [wireKeys(at.previousSecret)] : [])];
  const lists = new Map<PaymentMode, { banks: readonly Bank[]; readAt: number }>();

  async function post<Reply>(path: string, reply: z.ZodType<Reply>, fields: Record<string, string>): Promise<Reply> {
    const request = { agToken: at.agentToken, timestamp: gatewayStamp(clock.now()), nonce: randomUUID(), ...fields };
    try {
      const url = new URL(`${at.url.replace(/\/$/, '')}${path}`);
      const response = await tracedCall({ peer: 'payment gateway', url, verb: 'POST', method: path.slice(1) }, () =>
        fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...request, checksum: checksum(request, current) }),
          redirect: 'error',
          signal: AbortSignal.timeout(at.timeoutMs),
        }),
      );
      if (!response.ok) throw new Error(`POST ${path} answered ${response.status}`);
      return reply.parse(JSON.parse(await readCapped(response, LONGEST_ANSWER)));
    } catch (error) {
      throw gatewayDown(error);
    }
  }

  return {
    async banks(mode) {
      const known = lists.get(mode);
      const now = clock.now().getTime();
      if (known && now - known.readAt < BANKS_FRESH_MS) return known.banks;
      try {
        const { banks } = await post('/banks', Banks, { msgToken: mode });
        lists.set(mode, { banks, readAt: now });
        return banks;
      } catch (error) {
        if (known) return known.banks;
        throw error;
      }
    },

    form(payment) {
      const fields = fieldsOf(payment, at.agentToken, gatewayStamp(clock.now()));
      return {
        action: `${at.publicUrl.replace(/\/$/, '')}/pay`,
        fields: Object.entries({ ...fields, checksum: checksum(fields, current) }).map(([name, value]) => ({
          name,
          value,
        })),
      };
    },

    async readReturn(payload) {
      try {
        const raw = await openClaims(payload, keys);
        if (raw.aud !== at.agentToken) return { kind: 'invalid', why: 'meant for somebody else' };
        const isFresh = raw.exp * 1_000 > clock.now().getTime();
        return { kind: isFresh ? 'authentic' : 'expired', claims: claimsOf(raw) };
      } catch (error) {
        return { kind: 'invalid', why: error instanceof Error ? error.message : 'not readable' };
      }
    },

    async requery({ orderNo, billId }) {
      const { payload } = await post('/requery', Requeried, { orderNo, billId });
      try {
        const raw = await openClaims(payload, keys);
        if (raw.aud !== at.agentToken || raw.orderNo !== orderNo) throw new Error('the answer is about something else');
        if (raw.exp * 1_000 <= clock.now().getTime()) throw new Error('the answer is old');
        return claimsOf(raw);
      } catch (error) {
        throw gatewayDown(error);
      }
    },
  };
}

/** The hidden fields of the form, without the checksum. */
const fieldsOf = (payment: PaymentRequest, agToken: string, timestamp: string): Record<string, string> => ({
  agToken,
  bankCode: payment.bankCode,
  billId: payment.billId,
  buyerEmail: payment.buyerEmail,
  buyerName: payment.buyerName,
  currency: 'MYR',
  msgToken: payment.msgToken,
  orderNo: payment.orderNo,
  productDesc: payment.productDesc,
  productId: payment.productId,
  redirectUrl: payment.redirectUrl,
  timestamp,
  token: payment.token,
  totalAmount: ringgitText(payment.amountSen),
  transactionId: payment.transactionId,
});
