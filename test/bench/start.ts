/**
 * The cost of a start until the server is ready, including all embedded processes:
 *
 *     pnpm bench:start [--runs 5] [--idle 30]
 *
 * Prints seconds of CPU, and on the clock, of a first start and of the best of some further ones on the same data: by Node, and by
 * `npx -y pnpm start`, which includes npm, pnpm and what the script does first. On a busy machine the clock says little, and its
 * target can't be reached. Also what an idle server costs in half a minute (`--idle 0` leaves that out). Ends with 1 when a second
 * start misses a target. Linux only.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startServerProcess } from '../support/servers/server-process.ts';
import { childrenOf } from '../support/servers/processes.ts';
import { startByPnpm, stopByCtrlC } from './pnpm-start.ts';
import { print } from './print.ts';

const WANTED_CPU_SECONDS = 2.5;
const WANTED_SECONDS = 1.5;
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

interface Cost {
  cpu: number;
  clock: number;
}

async function byNode(folder: string): Promise<Cost> {
  const begun = performance.now();
  const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' }, 'single');
  const clock = (performance.now() - begun) / 1_000;
  const cpu = await cpuSecondsOf(server.pid);
  await server.stop();
  return { cpu, clock };
}

async function byPnpm(folder: string): Promise<Cost> {
  const begun = performance.now();
  const started = await startByPnpm(folder);
  const clock = (performance.now() - begun) / 1_000;
  const cpu = await cpuSecondsOf(started.pid);
  await stopByCtrlC(started);
  return { cpu, clock };
}

/** The least of both, of several starts. */
async function bestOf(start: () => Promise<Cost>): Promise<Cost> {
  const best = await start();
  for (let run = 1; run < Number(values.runs); run += 1) {
    const { cpu, clock } = await start();
    best.cpu = Math.min(best.cpu, cpu);
    best.clock = Math.min(best.clock, clock);
  }
  return best;
}

const show = (name: string, { cpu, clock }: Cost) =>
  print(`${name.padEnd(32)} ${cpu.toFixed(2)} s of CPU, ${clock.toFixed(2)} s on the clock`);

async function showIdle(folder: string, seconds: number) {
  const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' }, 'single');
  await sleep(3_000); // for work that follows the start
  const before = await cpuSecondsOf(server.pid);
  await sleep(seconds * 1_000);
  print(`${'idle'.padEnd(32)} ${((await cpuSecondsOf(server.pid)) - before).toFixed(2)} s of CPU in ${seconds} s`);
  await server.stop();
}

execFileSync(process.execPath, [join(import.meta.dirname, '../../tools/bundle.ts')]); // like every installation
const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-start-'));
try {
  show('first start', await byNode(folder));
  const seconds = { node: await bestOf(() => byNode(folder)), 'npx -y pnpm start': await bestOf(() => byPnpm(folder)) };
  for (const [name, cost] of Object.entries(seconds)) show(`second start, ${name}`, cost);
  if (Number(values.idle) > 0) await showIdle(folder, Number(values.idle));
  print(
    `wanted: at most ${WANTED_CPU_SECONDS} s of CPU and ${WANTED_SECONDS} s on the clock for a second start (load ${loadavg()[0]?.toFixed(1)})`,
  );
  if (Object.values(seconds).some(({ cpu, clock }) => cpu > WANTED_CPU_SECONDS || clock > WANTED_SECONDS))
    process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
