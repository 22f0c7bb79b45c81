import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';

import type { ReceiptStore } from '#ports/receipt-store.ts';

import { openReceiptSeal } from './receipt-seal.ts';

/**
 * The receipts that the processes of ticketing have printed. No method throws, and none waits long: without its store a
 * receipt is printed anew.
 */
export interface ReceiptCache {
  read(key: string): Promise<Uint8Array | null>;
  /** Keeps a receipt later: nobody waits for it. */
  keep(key: string, pdf: Uint8Array): void;
  /** Removes the receipts that are too old, and the oldest when there are too many. */
  sweep(): Promise<void>;
  /** Waits for what is being kept. */
  stop(): Promise<void>;
}

interface Options {
  /** Without one, a process remembers only what it has printed itself. */
  store: ReceiptStore | undefined;
  /** The same in all processes. */
  secret: string;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  /** A receipt is asked for again within minutes, or hardly ever; and it names its buyer. */
  keptHours: 24,
  /** 200 MB of receipts with some tickets. */
  mostKept: 10_000,
  /** How long reading or keeping one may take: printing takes less. */
  timeoutMs: 2_000,
  sweepTimeoutMs: 60_000,
  /** How long the store is not asked after it has failed. */
  pauseMs: 5_000,
  /** How many calls to the store may be open, those that were given up included. */
  mostCalls: 50,
};

/** A receipt of hundreds of tickets is not kept. */
const LARGEST_PDF = 256 * 1024;

export function openReceiptCache({ store, secret, clock, log, limits }: Options): ReceiptCache {
  const { keptHours, mostKept, timeoutMs, sweepTimeoutMs, pauseMs, mostCalls } = { ...LIMITS, ...limits };
  const seal = openReceiptSeal(secret);
  const keeping = new Set<Promise<unknown>>();
  let calls = 0;
  let isAway = false;
  let pausedUntil = -Infinity;

  const now = () => clock.now().getTime();
  const tooOld = () => new Date(now() - keptHours * 3_600_000);

  /** Calls the store, unless it has just failed or is too busy. */
  async function ask<Answer>(work: (store: ReceiptStore, signal: AbortSignal) => Promise<Answer>, limitMs = timeoutMs) {
    if (!store || now() < pausedUntil || calls >= mostCalls) return null;
    const signal = AbortSignal.timeout(limitMs);
    calls += 1;
    const working = work(store, signal).finally(() => (calls -= 1));
    try {
      const answer = await Promise.race([working, endOf(signal)]);
      isAway = false;
      return answer;
    } catch (error) {
      pausedUntil = now() + pauseMs;
      if (!isAway) log.warn({ err: error }, 'the store of printed receipts can not be used: receipts are printed anew');
      isAway = true;
      return null;
    }
  }

  return {
    async read(key) {
      const sealed = await ask((open, signal) => open.find(seal.nameOf(key), signal));
      if (!sealed) return null;
      const found = seal.open(key, sealed);
      if (!found) log.warn('a printed receipt is damaged in its store, and is printed anew');
      return found && found.printedAt > tooOld() ? found.pdf : null;
    },
    keep(key, pdf) {
      if (pdf.length > LARGEST_PDF) return;
      const sealed = seal.seal(key, pdf, clock.now());
      const kept = ask((open, signal) => open.keep(seal.nameOf(key), sealed, signal));
      keeping.add(kept);
      void kept.finally(() => keeping.delete(kept));
    },
    async sweep() {
      await ask((open, signal) => open.sweep(tooOld(), mostKept, signal), sweepTimeoutMs);
    },
    async stop() {
      await Promise.all(keeping);
    },
  };
}

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
