/**
 * Our gateway beside the others, on one graph and in one run:
 *
 *     pnpm bench:gateway [--seconds 4] [--rounds 2] [--subscribers 1000 [--gateways 1] [--rest 0]] [--only REGEXP]
 *
 * The first run installs the others, with npm, into their own folder (`gateway/peers`): they need other
 * versions of packages than the server. Printed for each, the best of all rounds: CPU time and requests per second of the
 * gateway's process for a light and a heavy query and for an answer of 1 MB, how many requests it sent to the subgraphs,
 * and whether its answer is that of stock Apollo; CPU and time of a hundred queries that it has never seen; of an event
 * for many subscribers, and their memory, after so many seconds of rest; and its memory after the first request. Ours has
 * a row with Apollo's executor, too. Then the cost of REST routes over their operations, as of `pnpm bench:rest` (by
 * itself: `--only REST`). Ends with 1 when a target is missed; that of an event was set for
 * `--subscribers 10000 --gateways 2`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compose } from '@foyer/gateway/supergraph/compose';
import { freePort } from '@foyer/prisma/free-port';

import { contenders, missing, sharing, type Contender } from './gateway/contenders.ts';
import { queries, typeDefs } from './gateway/graph.ts';
import { ask, burst, load } from './gateway/load.ts';
import { newQueries } from './gateway/new-queries.ts';
import { start, type Server } from './gateway/processes.ts';
import { missed, printFigures, type Query, type Row } from './gateway/report.ts';
import { deliver } from './gateway/subscribers.ts';
import { ticksTypeDefs } from './gateway/ticks.ts';
import { memoryOf } from './gateway/usage.ts';
import { print } from './print.ts';
import { measureRoutes, MOST_TIMES } from './rest/routes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    subscribers: { type: 'string', default: '1000' },
    gateways: { type: 'string', default: '1' },
    rest: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const subscribers = Number(values.subscribers);
/** Between which the subscribers are divided; one in a process with its subgraphs has nobody to divide with. */
const gateways = (local: boolean) => (local ? 1 : Number(values.gateways));
const NEW_QUERIES = 100;
/** Connections for the large answers, which take some gateways seconds. */
const FEW = 2;
/** The first batch of new queries warms the planner up. */
const BATCHES = 3;
const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'));

const rows = new Map<string, Row>();
const skipped = new Map<string, string>();
/** The answers of the first contender: of stock Apollo. */
const truth = new Map<string, string>();

function isTrue(name: string, answer: string): boolean {
  if (!truth.has(name)) truth.set(name, answer);
  return answer === truth.get(name);
}

function rowOf({ name, local = false }: Contender): Row {
  const row = rows.get(name) ?? { name, local, loads: {} };
  rows.set(name, row);
  return row;
}

const less = <Cell extends { cpuMs: number }>(known: Cell | undefined, cell: Cell): Cell =>
  known && known.cpuMs <= cell.cpuMs ? known : cell;

const open = ({ file, args = [], env }: Contender, supergraph: string) =>
  start(file, { args, env: { SUPERGRAPH: supergraph, NODE_ENV: 'production', ...env }, path: '/graphql' });

async function measure(contender: Contender, supergraph: string, subgraphsUrl: string): Promise<void> {
  const server = await open(contender, supergraph);
  const { pid } = server;
  const fetchCount = async () => Number(await (await fetch(`${subgraphsUrl}/fetches`)).text());
  try {
    const url = contender.name.startsWith('stock') ? server.url.replace('/graphql', '/') : server.url;
    await ask(url, queries.light);
    const row = rowOf(contender);
    row.memory = Math.min(row.memory ?? Infinity, memoryOf(pid));
    for (const [name, query] of Object.entries(queries) as [Query, string][]) {
      const same = isTrue(name, await ask(url, query));
      const pressure = { pid, ...(name === 'large' && { connections: FEW }) };
      await load(url, query, { ...pressure, seconds: 1 });
      const before = await fetchCount();
      const result = await load(url, query, { ...pressure, seconds });
      const fetches = ((await fetchCount()) - before) / result.requests;
      row.loads[name] = less(row.loads[name], { ...result, fetches, same });
    }
    for (let batch = 1; batch <= BATCHES; batch += 1) {
      const { answers, ...result } = await burst(url, newQueries(NEW_QUERIES, batch), pid);
      row.newQueries = less(row.newQueries, { ...result, same: isTrue(`new queries ${batch}`, answers) });
    }
  } finally {
    await server.stop();
  }
}

async function measureSubscribers(contender: Contender, supergraph: string): Promise<void> {
  const servers: Server[] = [];
  try {
    const row = rowOf(contender);
    while (servers.length < gateways(row.local)) servers.push(await open(contender, supergraph));
    const known = row.delivery;
    const delivery = await deliver(servers, { subscribers, restMs: Number(values.rest) * 1_000 });
    row.delivery = { ...less(known, delivery), bytes: Math.min(known?.bytes ?? Infinity, delivery.bytes) };
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Measures each contender once, unless it can't be. */
async function round(chosen: readonly Contender[], run: (contender: Contender) => Promise<void>): Promise<void> {
  for (const contender of chosen) {
    const why = skipped.get(contender.name) ?? missing(contender);
    if (why) skipped.set(contender.name, why);
    else await run(contender).catch((error: unknown) => skipped.set(contender.name, (error as Error).message));
    print(`${contender.name}: ${(performance.now() / 1_000).toFixed(0)} s`);
  }
}

/** A supergraph's file, and the addresses of its subgraphs. */
function composed(name: string, sdls: Readonly<Record<string, string>>, port: number) {
  const services = Object.fromEntries(Object.keys(sdls).map((key) => [key, `http://127.0.0.1:${port}/${key}`]));
  const file = join(folder, `${name}.graphql`);
  const subgraphs = Object.entries(sdls).map(([key, sdl]) => ({ name: key, url: services[key] ?? '', typeDefs: sdl }));
  writeFileSync(file, compose(subgraphs).supergraphSdl);
  return { file, services };
}

let subgraphs: Server | undefined;
try {
  const port = await freePort();
  const plain = composed('supergraph', typeDefs, port);
  const streaming = composed('streaming', { ...typeDefs, ticks: ticksTypeDefs }, port);
  subgraphs = await start(join(import.meta.dirname, 'gateway/subgraphs.ts'), { env: { PORT: String(port) }, path: '' });
  const { url } = subgraphs;
  const isChosen = ({ name }: Pick<Contender, 'name'>) => new RegExp(values.only).test(name);
  const chosen = contenders(plain.file, plain.services).filter(isChosen);
  const streamers = [...contenders(streaming.file, streaming.services), ...sharing(streaming.file)]
    .filter(({ streams }) => streams)
    .map((contender) => ({ ...contender, env: { ...contender.env, TOPICS: '1' } }))
    .filter(isChosen);
  for (let number = 0; number < Number(values.rounds); number += 1) {
    await round(chosen, (contender) => measure(contender, plain.file, url));
    await round(streamers, (contender) => measureSubscribers(contender, streaming.file));
  }
  printFigures([...rows.values()], subscribers);
  for (const [name, why] of skipped) print(`\nskipped: ${name}: ${why}`);
  const wrong = [...[...skipped.keys()].map((name) => `${name} was not measured`), ...missed([...rows.values()])];
  if (isChosen({ name: 'REST' })) {
    print('\nREST routes');
    const times = await measureRoutes();
    if (times > MOST_TIMES) wrong.push(`a REST route: ${times.toFixed(2)} times its operation, wanted ${MOST_TIMES}`);
  }
  print(wrong.length === 0 ? '\nall as it should be' : `\nWRONG:\n${wrong.join('\n')}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await subgraphs?.stop();
  rmSync(folder, { recursive: true, force: true });
}
