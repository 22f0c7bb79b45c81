/**
 * Mixed load on a server of many processes (two gateways, one process for each subgraph, a worker):
 *
 *     pnpm bench:gateway-load [--minutes 30] [--clients 8] [--kill ticketing]
 *
 * Queries, mutations, subscriptions and REST routes, for so long. In the middle one subgraph is killed; it is started
 * again by the supervisor. Operations that do not need it must continue without an error, the others must fail
 * fast and with a code, and recover by itself; at all other times nothing may fail. Each minute the memory of every
 * process is printed, and at the end how long each kind of request took: one in a hundred may take three times as long as the median,
 * once the first minute is over and while nothing is away. Exit code 1 when any of it does not hold.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { killRole, processesByRole } from '../support/servers/processes.ts';
import { ask, follow, pause } from './mixed-load/asking.ts';
import { kindsOf, openAccounts } from './mixed-load/kinds.ts';
import { openTally } from './mixed-load/tally.ts';
import { print } from './print.ts';

process.env['FOYER_LAYOUT'] = 'distributed';
const { stopServerProcess, startServerProcess } = await import('../support/servers/server-process.ts');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    clients: { type: 'string', default: '8' },
    kill: { type: 'string', default: 'ticketing' },
  },
});
const MINUTE_MS = 60_000;
const minutes = Number(values.minutes);
const killed = values.kill;
/** The server has recovered when nothing has failed for so long. */
const WELL_MS = 5_000;
const AWAY_LIMIT_MS = 120_000;
const FAST_MS = 2_000;
const FLAT = 1.25;
/** The minutes after which a growth of memory can be judged. */
const ENOUGH = 12;
const STREAMS = 10;
const WARM_UP_MS = MINUTE_MS;
/** How much longer one request in a hundred may take than the median. */
const TAIL = 3;

const server = await startServerProcess({
  LOG_LEVEL: 'error',
  RATE_LIMITS: 'off',
  ORDER_HOLD_MINUTES: '1', // so that the places of unpaid orders are released, and do not sell out
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  GRAPHQL_REQUESTS_PER_VIEWER: '0',
  AUTH_JWT_ACCESS_EXPIRY: String(Math.ceil((minutes + 10) * 60)),
});
const tally = openTally();
const over = new AbortController();
const memory: Map<string, number>[] = [];

const mib = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** The memory of all processes, by their roles. */
async function measureMemory(): Promise<void> {
  const roles = await processesByRole(server);
  memory.push(new Map([...roles].map(([role, pids]) => [role, pids.reduce((sum, pid) => sum + mib(pid), 0)])));
}

function printMinute(minute: number): void {
  const sizes = [...(memory.at(-1) ?? [])].map(([role, size]) => `${role} ${size.toFixed(0)}`).join('  ');
  const away = ['warming up', 'before', 'away', 'after'].map((stretch) => failures(stretch).length).join(' + ');
  print(`minute ${String(minute).padStart(3)}   MiB: ${sizes}   ${tally.answered()} answers   failed: ${away} kinds`);
}

/** Describes the failures in a time span. */
const failures = (stretch: string) =>
  [...tally.in(stretch)]
    .filter(([, { failed }]) => failed.size > 0)
    .map(([name, { answered, failed, slowestFailureMs }]) => ({
      name,
      slowestFailureMs,
      codes: [...failed.keys()],
      said: `${name}: ${[...failed].map(([code, count]) => `${count} ${code}`).join(', ')} of ${answered}, the slowest after ${slowestFailureMs.toFixed(0)} ms`,
    }));

async function wholeTime(): Promise<void> {
  const kill = async () => {
    const half = (minutes * MINUTE_MS) / 2;
    const warmUp = Math.min(WARM_UP_MS, half / 2);
    await pause(warmUp);
    tally.begin('before');
    await pause(half - warmUp);
    tally.begin('away');
    const at = performance.now();
    await killRole(server, killed);
    print(`${killed} is killed`);
    const wellSince = () => performance.now() - Math.max(at, tally.lastFailureAt());
    while (wellSince() < WELL_MS && performance.now() < at + AWAY_LIMIT_MS) await pause(WELL_MS / 10);
    tally.begin('after');
    print(`the last failure was ${((tally.lastFailureAt() - at) / 1_000).toFixed(1)} s later`);
  };
  const look = async () => {
    for (let minute = 1; minute <= minutes; minute += 1) {
      await pause(MINUTE_MS);
      await measureMemory();
      printMinute(minute);
    }
    await pause((minutes % 1) * MINUTE_MS);
    over.abort();
  };
  await Promise.all([kill(), look()]);
}

/** The means of the second and the last sixth of the time, because memory grows after a start. */
function growth(): { role: string; from: number; to: number }[] {
  const sixth = Math.floor(memory.length / 6);
  const mean = (role: string, part: typeof memory) =>
    part.reduce((sum, one) => sum + (one.get(role) ?? 0), 0) / part.length;
  return [...(memory.at(-1)?.keys() ?? [])].map((role) => ({
    role,
    from: mean(role, memory.slice(sixth, 2 * sixth)),
    to: mean(role, memory.slice(-sixth)),
  }));
}

try {
  const accounts = await openAccounts(server.url);
  const { kinds, followings, needs } = kindsOf(accounts);
  const about = { url: server.url, tally, over: over.signal };
  const asking = ask({ ...about, headers: accounts.headers }, kinds, Number(values.clients));
  const following = follow({ ...about, token: accounts.token }, followings, STREAMS);
  await wholeTime();
  await Promise.all([asking, following]);

  const wrong: string[] = [];
  for (const stretch of ['warming up', 'before', 'after'])
    wrong.push(...failures(stretch).map(({ said }) => `${stretch}: ${said}`));
  print(`\nwhile ${killed} was away:`);
  for (const { name, said, codes, slowestFailureMs } of failures('away')) {
    print(`  ${said}`);
    if (!needs(name).includes(killed)) wrong.push(`does not need ${killed}, and failed: ${said}`);
    if (slowestFailureMs > FAST_MS) wrong.push(`did not fail fast: ${said}`);
    if (codes.some((code) => /^(?:BROKEN_OFF|NO_CODE|STATUS)/.test(code))) wrong.push(`failed without a code: ${said}`);
  }
  print('\nlatencies, before and after:');
  for (const { name, count, p50, p99 } of tally.latencies('before', 'after')) {
    const said = `${name.padEnd(26)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms: ${(p99 / p50).toFixed(1)} ×, of ${count}`;
    print(`  ${said}`);
    if (p99 > TAIL * p50) wrong.push(`p99 above ${TAIL} × p50: ${said}`);
  }
  if (memory.length >= ENOUGH) {
    print('\nmemory, mean of the second sixth of the time and of the last:');
    for (const { role, from, to } of growth()) {
      print(`  ${role.padEnd(10)} ${from.toFixed(0)} → ${to.toFixed(0)} MiB`);
      if (role !== killed && to > from * FLAT) wrong.push(`the memory of ${role} has grown`);
    }
  }
  print(wrong.length === 0 ? `\n${tally.answered()} answers; all as it should be` : `\nWRONG:\n${wrong.join('\n')}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  over.abort();
  await stopServerProcess(server);
}
