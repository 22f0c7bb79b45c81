/**
 * The memory of `pnpm start` at rest, by process:
 *
 *     pnpm bench:memory [--rest 60]
 *
 * Starts it as the README says, for a second time on the same data, leaves it alone for a minute, and adds up the proportional set
 * size (PSS) of the server and of all that it has started: what is shared between processes counts once. npx and pnpm, which wait for
 * its end, are shown, and count for themselves. Ends with 1 when the target is missed. Linux only.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { childrenOf } from '../support/servers/processes.ts';
import { startByPnpm, stopByCtrlC } from './pnpm-start.ts';
import { print } from './print.ts';

const WANTED_MIB = 350;

const { values } = parseArgs({ options: { rest: { type: 'string', default: '60' } } });

interface Measured {
  pid: number;
  name: string;
  mib: number;
}

/** The words of a command line that tell processes apart. */
const nameOf = (command: string): string => {
  const words = command.split('\0').filter(Boolean);
  return words
    .map((word) => word.replace(/^\/.*\//, ''))
    .join(' ')
    .slice(0, 70);
};

/** The memory of a process and of all its descendants; those that have ended meanwhile are left out. */
async function measure(pid: number): Promise<Measured[]> {
  const [command, rollup, children] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
    childrenOf({ pid }),
  ]);
  const mib = Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1_024;
  const theirs = await Promise.all(children.map((child) => measure(child.pid).catch(() => [])));
  return [{ pid, name: nameOf(command), mib }, ...theirs.flat()];
}

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-memory-'));
try {
  await stopByCtrlC(await startByPnpm(folder));
  const started = await startByPnpm(folder);
  await sleep(Number(values.rest) * 1_000);
  const all = await measure(started.pid);
  await stopByCtrlC(started);

  const first = all.findIndex(({ name }) => name.includes('main.ts'));
  const [starters, own] = [all.slice(0, first), all.slice(first)];
  const sum = (processes: readonly Measured[]) => processes.reduce((total, { mib }) => total + mib, 0);
  for (const { name, mib } of own.toSorted((one, other) => other.mib - one.mib))
    print(`${mib.toFixed(0).padStart(5)} MiB  ${name}`);
  print(
    `${sum(own).toFixed(0).padStart(5)} MiB  the server and all that it has started; wanted: at most ${WANTED_MIB}`,
  );
  for (const { name, mib } of starters) print(`${mib.toFixed(0).padStart(5)} MiB  ${name} (not counted)`);
  if (sum(own) > WANTED_MIB) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
