import { resolve } from 'node:path';

import { diskReceiptStore } from '#adapters/receipt-store/disk.ts';
import type { ReceiptStore } from '#ports/receipt-store.ts';
import type { Config } from './config.ts';

/** Opens the store of printed receipts: S3 where it is configured, else a folder; undefined without either. */
export async function openReceiptStore({ receipts }: Pick<Config, 'receipts'>): Promise<ReceiptStore | undefined> {
  if (!receipts.s3) return receipts.folder === undefined ? undefined : diskReceiptStore(resolve(receipts.folder));
  // Loaded on demand: the S3 client takes a third of a second to load.
  const { s3ReceiptStore } = await import('#adapters/receipt-store/s3.ts');
  return s3ReceiptStore(receipts.s3);
}
