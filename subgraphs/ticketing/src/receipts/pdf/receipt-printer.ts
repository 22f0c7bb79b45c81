import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';

import type { Receipt } from './receipt.ts';

export interface PrintedReceipt {
  pdf: Uint8Array;
  /** SHA-256 of the PDF, in hex. */
  hash: string;
}

/** Prints receipts as PDFs, off the event loop. */
export interface ReceiptPrinter {
  print(receipt: Receipt): Promise<PrintedReceipt>;
  stop(): Promise<void>;
}

const CACHE_BYTES = 16 * 1024 * 1024;
/** After this an idle thread is stopped, because it holds about 100 MB. */
const IDLE_MS = 60_000;
const QUEUE_LIMIT = 200;

export function openReceiptPrinter({ threads = 1 } = {}): ReceiptPrinter {
  const pool = new Piscina<Receipt, Uint8Array>({
    filename: new URL('draw-receipt.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    maxQueue: QUEUE_LIMIT,
  });
  const printed = new LRUCache<string, PrintedReceipt>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ pdf }) => pdf.length,
  });

  return {
    async print(receipt) {
      const key = JSON.stringify(receipt, (_name, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      const known = printed.get(key);
      if (known) return known;
      const pdf = await pool.run(receipt);
      const fresh = { pdf, hash: createHash('sha256').update(pdf).digest('hex') };
      printed.set(key, fresh);
      return fresh;
    },
    stop: () => pool.destroy(),
  };
}
