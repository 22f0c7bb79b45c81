/**
 * How many receipts a second one core draws, and how long the event loop is blocked by it:
 *
 *     pnpm bench:receipts [--seconds 10] [--tickets 4]
 *
 * One worker thread, each receipt a different one, so that none comes from the cache. Languages take turns.
 */
import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

import { openReceiptPrinter } from '@foyer/ticketing/receipt-printer';
import { print } from './print.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, tickets: { type: 'string', default: '4' } },
});
const seconds = Number(values.seconds);
const tickets = Number(values.tickets);
const languages = ['bm', 'en', 'cn'] as const;

const receiptNo = (count: number) => ({
  language: languages[count % languages.length] ?? 'bm',
  orderNo: `ORD-20261224-${String(count).padStart(13, '0')}`,
  buyerName: '王小明 Siti binti Ahmad',
  buyerEmail: 'siti@example.my',
  groupName: 'Malam di Muzium · 博物馆之夜',
  location: 'Muzium Negara, Kuala Lumpur',
  organiser: 'Acme Events',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [{ name: 'Dewasa · 成人', variant: 'Adult', quantity: tickets, unitPriceSen: 4_500n }],
  totalSen: 4_500n * BigInt(tickets),
  paidAt: new Date('2026-12-01T16:30:00Z'),
  bankName: 'Maybank',
  gatewayTransactionId: `GW-${count}`,
  tickets: Array.from({ length: tickets }, () => ({
    code: `T1:${randomBytes(66).toString('hex').toUpperCase()}`,
    name: 'Dewasa · 成人',
    variant: 'Adult',
  })),
});

const printer = openReceiptPrinter({ threads: 1 });
try {
  let count = 0;
  const draw = async () => (await printer.print(receiptNo((count += 1)))).pdf.length;
  for (let warm = 0; warm < 6; warm += 1) await draw();

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [first, started] = [count, performance.now()];
  const end = started + seconds * 1_000;
  let bytes = 0;
  // Two at a time, so that the thread never waits.
  const keepDrawing = async () => {
    while (performance.now() < end) bytes += await draw();
  };
  await Promise.all([keepDrawing(), keepDrawing()]);
  const took = (performance.now() - started) / 1_000;
  delay.disable();

  const drawn = count - first;
  const [p99, max] = [delay.percentile(99) / 1e6, delay.max / 1e6];
  print(`${tickets} tickets a receipt, ${Math.round(bytes / drawn / 1_024)} KB each, one thread`);
  print(`${(drawn / took).toFixed(1)} receipts/s   (wanted: 8 a core)`);
  print(`event loop delay: p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(1)} ms   (wanted: p99 below 50)`);
} finally {
  await printer.stop();
}
