import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '@foyer/shared/clock';
import { ulid } from 'ulid';

import { claimsAt, sealClaims, type WireKeys } from '../../adapters/pgv1.ts';
import { outcomes, type Outcome, type OutcomeName } from './outcomes.ts';
import { bankNameOf } from './pages.ts';
import type { Decision, Payment, Store } from './store.ts';

/** Pauses between two tries of a copy, in milliseconds. */
const COPY_PAUSES = [500, 2_000, 5_000];
const COPY_TIMEOUT_MS = 10_000;

interface Wish {
  outcome: OutcomeName;
  /** How long the callback takes from server to server. */
  delayMs?: number | undefined;
  /** How many copies from server to server, instead of the outcome's own. */
  repeat?: number | undefined;
}

/** Decides payments and reports the results. */
export interface Decisions {
  /** @returns where the buyer's browser goes, if it goes anywhere */
  decide(payment: Payment, wish: Wish): Promise<string | null>;
  /** The bank's statement about a payment at this moment, sealed. */
  payloadOf(payment: Payment): Promise<string>;
  /** Sends the reports that were still due when the process died. */
  resume(): Promise<void>;
}

export function openDecisions({
  store,
  keys,
  kid,
  clock,
  signal,
}: {
  store: Store;
  keys: WireKeys;
  kid: string;
  clock: Clock;
  signal: AbortSignal;
}): Decisions {
  const seal = (payment: Payment) =>
    sealClaims(claimsAt(clock.now(), { ...factsOf(payment, clock.now()), jti: randomUUID() }), keys, kid);
  const returnUrl = (payment: Payment, payload: string) => {
    const url = new URL(payment.redirectUrl);
    url.searchParams.set('payload', payload);
    return url.href;
  };

  async function sendCopy(payment: Payment, afterMs: number) {
    try {
      if (afterMs > 0) await sleep(afterMs, undefined, { signal });
      const url = returnUrl(payment, await seal(payment));
      for (const pause of [...COPY_PAUSES, null]) {
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(COPY_TIMEOUT_MS)]);
        const answer = await fetch(url, { redirect: 'manual', signal: timeout }).catch(() => null);
        if ((answer && answer.status < 500) || pause === null) return;
        await sleep(pause, undefined, { signal });
      }
    } catch {
      // The bank is closing: Foyer will requery.
    }
  }

  return {
    payloadOf: seal,

    async decide(payment, { outcome: name, delayMs = 0, repeat }) {
      const outcome: Outcome = outcomes[name];
      const delayed = name === 'late' ? delayMs : 0;
      const decided = { ...payment, decision: decisionOf(payment, name, new Date(clock.now().getTime() + delayed)) };
      await store.save(decided); // saved before anybody is notified
      const copies = repeat ?? outcome.copies;
      for (let copy = 0; copy < copies; copy++) void sendCopy(decided, delayMs);
      if (!outcome.browser) return null;
      const payload = await seal(decided);
      return returnUrl(decided, outcome.spoiled ? spoil(payload) : payload);
    },

    async resume() {
      const now = clock.now().getTime();
      for (const payment of await store.list()) {
        const from = new Date(payment.decision?.knownFrom ?? 0).getTime();
        if (from > now) void sendCopy(payment, from - now);
      }
    },
  };
}

function decisionOf({ amountSen }: Payment, name: OutcomeName, knownFrom: Date): Decision {
  const outcome: Outcome = outcomes[name];
  return {
    outcome: name,
    gatewayTransactionId: `SIM-${ulid(knownFrom.getTime())}`,
    statusCode: outcome.statusCode,
    statusMessage: outcome.statusMessage,
    amountSen: String(outcome.halved ? BigInt(amountSen) / 2n : BigInt(amountSen)),
    knownFrom: knownFrom.toISOString(),
    paid: outcome.statusCode === '00',
  };
}

function factsOf(payment: Payment, now: Date) {
  const { orderNo, billId, transactionId, agToken, currency, msgToken, bankCode, decision } = payment;
  const known = decision && new Date(decision.knownFrom) <= now ? decision : null;
  return {
    orderNo,
    billId,
    transactionId,
    currency,
    msgToken,
    bankCode,
    aud: agToken,
    bankName: bankNameOf(payment),
    gatewayTransactionId: known?.gatewayTransactionId ?? '',
    statusCode: known?.statusCode ?? '09',
    statusMessage: known?.statusMessage ?? 'In progress',
    amountSen: BigInt(known?.amountSen ?? payment.amountSen),
    paidAt: known?.paid ? new Date(known.knownFrom) : null,
  };
}

/** Changes one character in the middle, as a forger would. */
function spoil(payload: string): string {
  const at = Math.floor(payload.length / 2);
  return `${payload.slice(0, at)}${payload[at] === 'A' ? 'B' : 'A'}${payload.slice(at + 1)}`;
}
