/**
 * The memory of `pnpm start` at rest, by process:
 *
 *     pnpm bench:memory [--rest 90]
 *
 * Starts it as the README says, for the first time and again on the same data, and sends it a mail. Each time it is left alone for
 * more than the minute after which the mail inbox ends. Adds up the proportional set size (PSS) of the server and of all that it
 * has started: what is shared between processes counts once. npx and pnpm, which wait for its end, are shown, and count for
 * themselves. Also shows the memory while the mail has just come, which is not at rest. Ends with 1 when the target is missed.
 * Linux only.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';

import { childrenOf } from '../support/servers/processes.ts';
import { startByPnpm, stopByCtrlC } from './pnpm-start.ts';
import { print } from './print.ts';

const WANTED_MIB = 350;

const { values } = parseArgs({ options: { rest: { type: 'string', default: '90' } } });

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
    .replaceAll(/\s+/g, ' ')
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

const sum = (processes: readonly Measured[]) => processes.reduce((total, { mib }) => total + mib, 0);

/** Prints the memory of each process; returns that of the server and of all that it has started. */
async function show(when: string, pid: number): Promise<number> {
  const all = await measure(pid);
  const first = all.findIndex(({ name }) => name.includes('main.ts'));
  const [starters, own] = [all.slice(0, first), all.slice(first)];
  print(`${when} (load ${loadavg()[0]?.toFixed(1)}):`);
  for (const { name, mib } of own.toSorted((one, other) => other.mib - one.mib))
    print(`${mib.toFixed(0).padStart(7)} MiB  ${name}`);
  print(`${sum(own).toFixed(0).padStart(7)} MiB  in all; wanted at rest: at most ${WANTED_MIB}`);
  for (const { name, mib } of starters) print(`${mib.toFixed(0).padStart(7)} MiB  ${name} (not counted)`);
  return sum(own);
}

async function sendMail(dataDir: string): Promise<void> {
  const { SMTP_URL: url = '' } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as {
    SMTP_URL?: string;
  };
  const mailer = smtpMailer({ url, from: 'bench@foyer.test' });
  const content = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', messageId: '<bench@foyer.test>' };
  await mailer.send({ to: 'reader@foyer.test', ...content });
  mailer.close();
}

const rest = () => sleep(Number(values.rest) * 1_000);
const atRest: number[] = [];
const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-memory-'));
try {
  for (const name of ['first', 'second']) {
    const started = await startByPnpm(folder);
    await rest();
    atRest.push(await show(`after the ${name} start`, started.pid));
    await sendMail(folder);
    await sleep(5_000);
    await show(`${name} start, five seconds after a mail`, started.pid);
    await rest();
    atRest.push(await show(`${name} start, at rest after a mail`, started.pid));
    await stopByCtrlC(started);
  }
  if (atRest.some((mib) => mib > WANTED_MIB)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
