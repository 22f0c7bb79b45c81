/**
 * How many receipts a second one thread draws, next to plain pdfmake in the same run, and how long the event loop of the
 * server is blocked while its receipt thread draws:
 *
 *     pnpm bench:receipts [--seconds 10] [--tickets 4]
 *
 * The two take turns, so that a busy machine slows both. Rates are those of a thread that has a core to itself: receipts
 * in a second of the thread's CPU. Each receipt is a different one. Languages take turns. Ends with 1 when a target is missed.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

import { openReceiptPrinter } from '@foyer/ticketing/receipt-printer';

import { print } from './print.ts';
import type { Drawn } from './receipts-worker.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, tickets: { type: 'string', default: '4' } },
});
const seconds = Number(values.seconds);
const tickets = Number(values.tickets);

const ROUNDS = 4;
const LEAST_PER_SECOND = 40;
const LEAST_TIMES = 5;
const LONGEST_DELAY_MS = 50;

function start(how: 'foyer' | 'pdfmake'): ChildProcess {
  const worker = fork(new URL('receipts-worker.ts', import.meta.url), [how, String(tickets)]);
  return worker.once('exit', (code) => code && process.exit(code));
}

async function draw(worker: ChildProcess, during: number): Promise<Drawn> {
  worker.send(during);
  const [drawn] = (await once(worker, 'message')) as [Drawn];
  return drawn;
}

const sum = (all: readonly Drawn[], of: keyof Drawn) => all.reduce((total, drawn) => total + drawn[of], 0);
const perSecond = (all: readonly Drawn[], of: 'cpu' | 'wall' = 'cpu') => sum(all, 'receipts') / sum(all, of);

async function rates() {
  const workers = { foyer: start('foyer'), pdfmake: start('pdfmake') };
  const drawn: Record<'foyer' | 'pdfmake', Drawn[]> = { foyer: [], pdfmake: [] };
  for (const worker of Object.values(workers)) await draw(worker, seconds / ROUNDS); // warm up
  for (let round = 0; round < ROUNDS; round += 1) {
    drawn.pdfmake.push(await draw(workers.pdfmake, seconds / ROUNDS));
    drawn.foyer.push(await draw(workers.foyer, seconds / ROUNDS));
  }
  for (const worker of Object.values(workers)) worker.disconnect();
  return drawn;
}

/** The 99th percentile of the event loop's delay, in milliseconds. */
async function delayWhile(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.percentile(99) / 1e6;
}

const idle = () => new Promise<void>((resolve) => void setTimeout(resolve, (seconds * 1_000) / ROUNDS));

async function printAll(): Promise<void> {
  const printer = openReceiptPrinter();
  const end = performance.now() + (seconds * 1_000) / ROUNDS;
  let count = 0;
  const keepPrinting = async () => {
    while (performance.now() < end) await printer.print(receiptNo((count += 1)), null);
  };
  await Promise.all([keepPrinting(), keepPrinting()]);
  await printer.stop();
}

const receiptNo = (count: number) => ({
  language: 'en' as const,
  orderNo: `ORD-${count}`,
  buyerName: '陳美玲',
  buyerEmail: 'siti@example.my',
  groupName: 'Night at the Museum',
  location: 'Muzium Negara, Kuala Lumpur',
  organiser: 'Acme Events',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [],
  totalSen: 0n,
  paidAt: new Date('2026-12-01T16:30:00Z'),
  bankName: '',
  gatewayTransactionId: '',
  tickets: [{ code: `T1:${count}`.padEnd(132, 'A'), name: 'Adult', variant: 'Adult' }],
});

const { foyer, pdfmake } = await rates();
const [quiet, busy] = [await delayWhile(idle), await delayWhile(printAll)];
const times = perSecond(foyer) / perSecond(pdfmake);
const kilobytes = (all: readonly Drawn[]) => `${Math.round(sum(all, 'bytes') / sum(all, 'receipts') / 1_024)} KB each`;

print(`${tickets} tickets a receipt, one thread, load ${loadavg()[0]?.toFixed(1)}`);
print(`plain pdfmake   ${perSecond(pdfmake).toFixed(1)} receipts/s   ${kilobytes(pdfmake)}`);
print(
  `Foyer           ${perSecond(foyer).toFixed(1)} receipts/s   ${kilobytes(foyer)}   (wanted: ${LEAST_PER_SECOND})`,
);
print(`                ${times.toFixed(1)} times as many   (wanted: ${LEAST_TIMES})`);
print(`by the clock: ${perSecond(pdfmake, 'wall').toFixed(1)} and ${perSecond(foyer, 'wall').toFixed(1)} receipts/s`);
print(
  `event loop delay: p99 ${quiet.toFixed(1)} ms idle, ${busy.toFixed(1)} ms printing   (wanted: below ${LONGEST_DELAY_MS})`,
);
const isFast = perSecond(foyer) >= LEAST_PER_SECOND && times >= LEAST_TIMES && busy < LONGEST_DELAY_MS;
process.exitCode = isFast ? 0 : 1;
