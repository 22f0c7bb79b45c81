/**
 * The cost of a start until the server is ready, including all embedded processes:
 *
 *     pnpm bench:start [--runs 5] [--idle 30]
 *
 * Prints seconds of CPU, and on the clock, of a first start and of the cheapest of some further ones on the same data. CPU
 * is what counts: on a busy machine the clock says little. Also what an idle
 * server costs in half a minute (`--idle 0` leaves that out). Ends with 1 when the second start misses its target. Linux only.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startServerProcess } from '../support/servers/server-process.ts';
import { childrenOf } from '../support/servers/processes.ts';
import { print } from './print.ts';

const WANTED_SECONDS = 2.5;
const TICKS_PER_SECOND = 100; // proc(5), on every Linux

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, idle: { type: 'string', default: '30' } },
});

/** The CPU time of a process and of all its children, also those that have ended. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const children = await childrenOf({ pid });
  const theirs = await Promise.all(children.map((child) => cpuSecondsOf(child.pid).catch(() => 0))); // some have ended
  return theirs.reduce((sum, seconds) => sum + seconds, ticks / TICKS_PER_SECOND);
}

async function start(folder: string): Promise<{ cpu: number; clock: number }> {
  const begun = performance.now();
  const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' }, 'single');
  const clock = (performance.now() - begun) / 1_000;
  const cpu = await cpuSecondsOf(server.pid);
  await server.stop();
  return { cpu, clock };
}

const show = (name: string, { cpu, clock }: { cpu: number; clock: number }) =>
  print(`${name.padEnd(12)} ${cpu.toFixed(2)} s of CPU, ${clock.toFixed(1)} s on the clock`);

async function showIdle(folder: string, seconds: number) {
  const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' }, 'single');
  await sleep(3_000); // for work that follows the start
  const before = await cpuSecondsOf(server.pid);
  await sleep(seconds * 1_000);
  print(`idle         ${((await cpuSecondsOf(server.pid)) - before).toFixed(2)} s of CPU in ${seconds} s`);
  await server.stop();
}

execFileSync(process.execPath, [join(import.meta.dirname, '../../tools/bundle.ts')]); // like every installation
const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-start-'));
try {
  show('first start', await start(folder));
  let best = await start(folder);
  for (let run = 1; run < Number(values.runs); run += 1) {
    const next = await start(folder);
    if (next.cpu < best.cpu) best = next;
  }
  show('second start', best);
  if (Number(values.idle) > 0) await showIdle(folder, Number(values.idle));
  print(`wanted: at most ${WANTED_SECONDS} s of CPU for a second start`);
  if (best.cpu > WANTED_SECONDS) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
