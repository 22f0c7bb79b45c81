import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';

import { openFairQueue } from './fair-queue.ts';
import { fingerprint } from './fingerprint.ts';
import type { Receipt } from './receipt.ts';
import { receiptsBusy } from './refusals.ts';

export interface PrintedReceipt {
  pdf: Uint8Array;
  /** SHA-256 of the PDF, in hex. */
  hash: string;
}

/** Prints receipts as PDFs, off the event loop. */
export interface ReceiptPrinter {
  /**
   * @param caller whose receipt it is: callers take turns. Null for our own work, which always gets a place.
   * @throws {Refusal} `RECEIPTS_BUSY` with `retryAfter` in seconds
   */
  print(receipt: Receipt, caller: string | null): Promise<PrintedReceipt>;
  stop(): Promise<void>;
}

/** Where processes share what they printed. What it loses is printed again. */
interface Shared {
  read(key: string): Promise<Uint8Array | null>;
  keep(key: string, pdf: Uint8Array): void;
}

interface Options {
  cache?: Shared;
  threads?: number;
  /** How many receipts may wait, of one caller and of all. */
  waiting?: { ofCaller: number; ofAll: number };
}

const CACHE_BYTES = 16 * 1024 * 1024;
/** After this an idle thread is stopped, because it holds about 100 MB. */
const IDLE_MS = 60_000;
/** Of one thread. */
const LEAST_PER_SECOND = 20;
const WAITING = { ofCaller: 40, ofAll: 400 };
/** Our own work. */
const OURS = '';

export function openReceiptPrinter({ cache, threads = 1, waiting = WAITING }: Options = {}): ReceiptPrinter {
  const queue = openFairQueue();
  const pool = new Piscina<Receipt, Uint8Array>({
    filename: new URL('draw-receipt.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // A small young generation costs little speed, and half the memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  });
  const printed = new LRUCache<string, PrintedReceipt>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ pdf }) => pdf.length,
  });
  const printing = new Map<string, Promise<PrintedReceipt>>();
  const version = fingerprint();

  let running = 0;

  const busy = () => receiptsBusy(1 + Math.ceil(queue.size() / LEAST_PER_SECOND));

  /** Lets a caller wait; when too many do, the last of the caller with the most leaves. */
  function admit(caller: string): void {
    if (queue.lengthOf(caller) >= waiting.ofCaller) throw busy();
    if (queue.size() < waiting.ofAll) return;
    if (queue.longest() <= queue.lengthOf(caller) + 1) throw busy();
    queue.pop()?.giveUp();
  }

  /** Resolves when it is the caller's turn. */
  function turnOf(caller: string): Promise<void> {
    if (caller !== OURS) admit(caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queue.push({ caller, begin: resolve, giveUp: () => reject(busy()) });
    beginNext();
    return promise;
  }

  /** One more than there are threads, so that none waits for its next receipt. */
  function beginNext(): void {
    while (running <= threads) {
      const next = queue.shift();
      if (!next) return;
      running += 1;
      next.begin();
    }
  }

  async function draw(receipt: Receipt, caller: string): Promise<Uint8Array> {
    await turnOf(caller);
    try {
      return await pool.run(receipt);
    } finally {
      running -= 1;
      beginNext();
    }
  }

  async function readOrDraw(key: string, receipt: Receipt, caller: string): Promise<PrintedReceipt> {
    const kept = await cache?.read(key);
    const pdf = kept ?? (await draw(receipt, caller));
    const fresh = { pdf, hash: createHash('sha256').update(pdf).digest('hex') };
    printed.set(key, fresh);
    if (!kept) cache?.keep(key, pdf);
    return fresh;
  }

  return {
    async print(receipt, who) {
      const caller = who ?? OURS;
      const key = keyOf(version, receipt);
      const begun = printing.get(key);
      const known = printed.get(key) ?? (begun && (await begun.catch(() => undefined))); // it may have left the queue
      if (known) return known;
      const print = readOrDraw(key, receipt, caller).finally(() => printing.delete(key));
      printing.set(key, print);
      return print;
    },
    async stop() {
      for (let next = queue.shift(); next; next = queue.shift()) next.giveUp();
      await pool.destroy();
    },
  };
}

/** Identifies a PDF before it is drawn: the same key is the same PDF. */
function keyOf(version: string, receipt: Receipt): string {
  const content = JSON.stringify(receipt, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(version).update(content).digest('hex');
}
