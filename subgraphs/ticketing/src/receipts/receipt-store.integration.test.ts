import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScratchDatabase } from '../testing/scratch-database.ts';
import { openReceiptStore, sweepReceipts } from './receipt-store.ts';

const HOUR = 3_600_000;
let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let now = new Date('2026-12-01T00:00:00Z');
const clock = { now: () => now };

beforeAll(async () => {
  scratch = await startScratchDatabase();
});
afterAll(() => scratch.stop());

const store = () => openReceiptStore({ db: scratch.db, clock, log: openLog('silent') });
const pdf = (text: string) => new TextEncoder().encode(text);

describe('printed receipts', () => {
  it('are read by their key, for a day', async () => {
    await store().keep('one', pdf('%PDF-1'));

    expect(await store().read('one')).toEqual(pdf('%PDF-1'));
    expect(await store().read('another')).toBeNull();
    now = new Date(now.getTime() + 24 * HOUR);
    expect(await store().read('one')).toBeNull();
  });

  it('are kept when two processes print the same at once', async () => {
    await Promise.all([store().keep('same', pdf('%PDF-2')), store().keep('same', pdf('%PDF-2'))]);

    expect(await store().read('same')).toEqual(pdf('%PDF-2'));
  });

  it('are deleted after a day, and the oldest when there are too many', async () => {
    for (const key of ['old', 'middle', 'new']) {
      now = new Date(now.getTime() + HOUR);
      await store().keep(key, pdf(key));
    }
    await sweepReceipts({ db: scratch.db, clock }, 2);
    const left = await scratch.db.printedReceipt.findMany({ orderBy: { printedAt: 'asc' } });

    expect(left.map(({ key }) => key)).toEqual(['middle', 'new']);
  });

  it('are printed again when the database can not be asked', async () => {
    const gone = openReceiptStore({ db: {} as typeof scratch.db, clock, log: openLog('silent') });

    expect(await gone.read('one')).toBeNull();
    await gone.keep('one', pdf('%PDF-'));
  });

  it('larger than 256 KiB are not kept', async () => {
    await store().keep('large', new Uint8Array(256 * 1024 + 1));

    expect(await store().read('large')).toBeNull();
  });
});
