import { createHash, randomBytes } from 'node:crypto';

import { describeStores } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { LARGEST_BYTES, type ReceiptStore } from '#ports/receipt-store.ts';

const signal = new AbortController().signal;
const LONG_AGO = new Date(0);
/** Also on a server whose clock is ahead of ours. */
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000);

export const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What every store of printed receipts must do, whatever lies behind it. */
export function receiptStoreContract(
  where: { where: string; isS3?: boolean },
  make: () => Promise<{ store: ReceiptStore; stop(): Promise<void> }>,
) {
  describeStores('the store of printed receipts on', [where], () => {
    let store: ReceiptStore;
    let stop: () => Promise<void>;
    beforeAll(async () => ({ store, stop } = await make()));
    afterAll(() => stop());

    const keep = (text: string, bytes: Uint8Array = Buffer.from(text)) => store.keep(nameOf(text), bytes, signal);
    const find = async (text: string) => {
      const found = await store.find(nameOf(text), signal);
      return found && Buffer.from(found);
    };

    it('finds nothing, and has nothing to sweep, before it has kept any', async () => {
      expect(await find('first')).toBeNull();
      await store.sweep(IN_AN_HOUR(), 0, signal);
    });

    it('gives back what was kept under a name, and nothing under another', async () => {
      const bytes = randomBytes(LARGEST_BYTES);
      await keep('one', bytes);

      expect(await find('one')).toEqual(bytes);
      expect(await find('another')).toBeNull();
    });

    it('replaces what was there', async () => {
      await keep('twice', Buffer.from('before'));
      await keep('twice', Buffer.from('after'));

      expect(await find('twice')).toEqual(Buffer.from('after'));
    });

    it('keeps it whole when several processes keep the same at once', async () => {
      const copies = Array.from({ length: 4 }, () => randomBytes(50_000));
      await Promise.all(copies.map((copy) => keep('same', copy)));

      expect(copies.map((copy) => copy.toString('hex'))).toContain((await find('same'))?.toString('hex'));
    });

    it('refuses to read more than any receipt has', async () => {
      await keep('large', Buffer.alloc(LARGEST_BYTES + 1));

      await expect(find('large')).rejects.toThrow(RangeError);
    });

    it.each(['', '.', '../secrets', 'A'.repeat(64), `${'a'.repeat(64)}/b`, `${'a'.repeat(63)}\0`])(
      'takes %j for no name',
      async (wrong) => {
        await expect(store.find(wrong, signal)).rejects.toThrow(RangeError);
        await expect(store.keep(wrong, Buffer.from('x'), signal)).rejects.toThrow(RangeError);
      },
    );

    it('gives up when it is told to', async () => {
      await keep('given up');

      await expect(store.find(nameOf('given up'), AbortSignal.abort())).rejects.toThrow();
    });

    it('sweeps those that are too many, and those that are too old', async () => {
      const texts = ['1', '2', '3'];
      for (const text of texts) await keep(text);
      const left = async () => (await Promise.all(texts.map(find))).filter((found) => found !== null).length;
      const swept = async (until: Date, most: number) => {
        await store.sweep(until, most, signal);
        return left();
      };

      expect(await swept(LONG_AGO, 1_000)).toBe(3);
      // The listing of an S3 server may be late.
      await expect.poll(() => swept(LONG_AGO, 1)).toBeLessThan(2);
      await expect.poll(() => swept(IN_AN_HOUR(), 1_000)).toBe(0);
    });
  });
}
