import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import type { ReceiptStore } from './pdf/receipt-printer.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'log'>;

/** A receipt is asked for again within minutes, or hardly ever; and it names its buyer. */
const KEPT_HOURS = 24;
/** 200 MB of receipts with some tickets. */
const MOST_KEPT = 10_000;
/** A receipt of hundreds of tickets is not kept. */
const LARGEST = 256 * 1024;

/** Keeps printed receipts in PostgreSQL, for all processes, for a day. A failure costs only another printing. */
export const openReceiptStore = ({ db, clock, log }: Needs): ReceiptStore => ({
  async read(key) {
    const after = new Date(clock.now().getTime() - KEPT_HOURS * 3_600_000);
    try {
      const found = await db.printedReceipt.findFirst({ where: { key, printedAt: { gt: after } } });
      return found?.pdf ?? null;
    } catch (error) {
      log.warn({ err: error }, 'a printed receipt could not be read');
      return null;
    }
  },
  async keep(key, pdf) {
    if (pdf.length > LARGEST) return;
    const row = { pdf: new Uint8Array(pdf), printedAt: clock.now() };
    try {
      await db.printedReceipt.upsert({ where: { key }, create: { key, ...row }, update: row });
    } catch (error) {
      log.warn({ err: error }, 'a printed receipt could not be kept');
    }
  },
});

const sweepReceiptsJob = defineJob({
  name: 'ticketing.sweep-receipts',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  cron: '*/10 * * * *',
});

export const sweepReceiptsWorker = (services: Needs) => worker(sweepReceiptsJob, () => sweepReceipts(services));

/** Deletes the printed receipts that are too old, and the oldest when there are too many. */
export async function sweepReceipts({ db, clock }: Pick<Needs, 'db' | 'clock'>, most = MOST_KEPT): Promise<void> {
  const firstTooMany = await db.printedReceipt.findFirst({ orderBy: { printedAt: 'desc' }, skip: most });
  const before = new Date(clock.now().getTime() - KEPT_HOURS * 3_600_000);
  await db.printedReceipt.deleteMany({ where: { printedAt: { lte: before } } });
  if (firstTooMany) await db.printedReceipt.deleteMany({ where: { printedAt: { lte: firstTooMany.printedAt } } });
}
