/**
 * Our gateway beside the others, on one graph and in one run:
 *
 *     pnpm bench:gateway [--seconds 4] [--rounds 2] [--only REGEXP]
 *
 * The first run installs the others, with npm, into their own folder (`gateway/peers`): they need other
 * versions of packages than the server. Printed for each: CPU time and requests per second of the
 * gateway's process, how many requests it sent to the subgraphs, and whether its answer is that of stock Apollo.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compose } from '@foyer/gateway/supergraph/compose';
import { freePort } from '@foyer/prisma/free-port';

import { queries, typeDefs } from './gateway/graph.ts';
import { ask, load, type Load } from './gateway/load.ts';
import { start, type Server } from './gateway/processes.ts';
import { print } from './print.ts';

const here = join(import.meta.dirname, 'gateway');
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'));

interface Contender {
  name: string;
  file: string;
  args?: string[];
  env?: Record<string, string>;
  /** The folder of its packages, when they are not ours. */
  packages?: string;
}

const noLimits = { GRAPHQL_REQUESTS_PER_ADDRESS: '0', GRAPHQL_MAX_COST: '0', LOG_LEVEL: 'error' };
const peers = join(here, 'peers');

const contenders = (supergraph: string, services: Record<string, string>): Contender[] => [
  { name: 'stock Apollo, HTTP', file: join(peers, 'stock.mjs'), packages: peers },
  { name: 'stock Apollo, local', file: join(peers, 'stock.mjs'), packages: peers, env: { LOCAL: '1' } },
  { name: 'Hive Gateway', file: join(peers, 'hive.mjs'), packages: peers },
  { name: 'Hive Gateway, Rust planner', file: join(peers, 'hive.mjs'), packages: peers, env: { RUST: '1' } },
  {
    name: 'Mercurius, jit',
    file: join(peers, 'mercurius/mercurius.mjs'),
    packages: join(peers, 'mercurius'),
    env: { SERVICES: JSON.stringify(services) },
  },
  {
    name: 'ours, HTTP',
    file: join(root, 'gateway/src/main.ts'),
    args: ['--supergraph', supergraph],
    env: noLimits,
  },
  { name: 'ours, in process', file: join(here, 'in-process.ts'), env: noLimits },
  {
    name: 'ours, in process, interpreted',
    file: join(here, 'in-process.ts'),
    env: { ...noLimits, SUBGRAPH_COMPILED: 'false' },
  },
];

/** Why its packages can't be installed; undefined when they are there. */
function missing({ packages }: Contender): string | undefined {
  if (!packages || existsSync(join(packages, 'node_modules'))) return undefined;
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: packages, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return (error as { stderr?: Buffer }).stderr?.toString().split('\n', 1)[0] ?? 'npm install failed';
  }
}

interface Measured extends Load {
  same: boolean;
  fetches: number;
}
type Cells = Partial<Record<keyof typeof queries, Measured>>;

const measured = new Map<string, Cells>();
const skipped = new Map<string, string>();

async function measure(contender: Contender, supergraph: string, subgraphsUrl: string, truth: Map<string, string>) {
  const server = await start(contender.file, {
    args: contender.args ?? [],
    env: { SUPERGRAPH: supergraph, NODE_ENV: 'production', ...contender.env },
    path: '/graphql',
  });
  const fetchCount = async () => Number(await (await fetch(`${subgraphsUrl}/fetches`)).text());
  try {
    const url = contender.name.startsWith('stock') ? server.url.replace('/graphql', '/') : server.url;
    for (const [name, query] of Object.entries(queries) as [keyof typeof queries, string][]) {
      const answer = await ask(url, query);
      if (!truth.has(name)) truth.set(name, answer);
      await load(url, query, { seconds: 1, pid: server.pid });
      const before = await fetchCount();
      const result = await load(url, query, { seconds: Number(values.seconds), pid: server.pid });
      const cells = measured.get(contender.name) ?? {};
      const fetches = ((await fetchCount()) - before) / result.requests;
      const best = cells[name];
      if (!best || result.cpuMs < best.cpuMs) cells[name] = { ...result, fetches, same: answer === truth.get(name) };
      measured.set(contender.name, cells);
    }
  } finally {
    await server.stop();
  }
}

function printFigures(): void {
  const line = (name: string, query: keyof typeof queries, baseline: string) => {
    const cell = measured.get(name)?.[query];
    const stock = measured.get(baseline)?.[query];
    if (!cell) return '';
    const ratio = stock ? (stock.cpuMs / cell.cpuMs).toFixed(1) : '–';
    return [
      name.padEnd(28),
      query.padEnd(6),
      `${cell.cpuMs.toFixed(3).padStart(8)} ms CPU`,
      `${ratio.padStart(5)} × ${baseline}`.padEnd(30),
      `${cell.perSecond.toFixed(0).padStart(6)}/s`,
      `p99 ${cell.p99Ms.toFixed(1).padStart(6)} ms`,
      `${cell.fetches.toFixed(1).padStart(5)} fetches`,
      cell.same ? 'same answer' : 'ANOTHER ANSWER',
    ].join('  ');
  };
  for (const query of ['light', 'heavy'] as const) {
    print();
    for (const name of measured.keys()) {
      const local = /local|in process/.test(name);
      print(line(name, query, local ? 'stock Apollo, local' : 'stock Apollo, HTTP'));
    }
  }
  for (const [name, why] of skipped) print(`\nskipped: ${name}: ${why}`);
}

/** How many times more CPU the stock gateway must need than ours. */
const wanted = [
  { name: 'ours, in process', baseline: 'stock Apollo, local', query: 'light', times: 8 },
  { name: 'ours, HTTP', baseline: 'stock Apollo, HTTP', query: 'light', times: 4 },
  { name: 'ours, in process', baseline: 'stock Apollo, local', query: 'heavy', times: 3 },
  { name: 'ours, HTTP', baseline: 'stock Apollo, HTTP', query: 'heavy', times: 3 },
] as const;

/** The measurements that miss their targets. */
function verdict(): string[] {
  const wrong = [...skipped.keys()].map((name) => `${name} was not measured`);
  for (const [name, cells] of measured)
    for (const [query, cell] of Object.entries(cells))
      if (!cell.same) wrong.push(`${name}: another answer to ${query}`);
  for (const { name, baseline, query, times } of wanted) {
    const own = measured.get(name)?.[query]?.cpuMs;
    const stock = measured.get(baseline)?.[query]?.cpuMs;
    if (own && stock && stock / own < times) wrong.push(`${name}, ${query}: less than ${times} times ${baseline}`);
  }
  for (const [name, { light }] of measured) {
    const own = measured.get('ours, HTTP')?.light?.cpuMs;
    if (own && light && !name.startsWith('ours') && light.cpuMs < own) wrong.push(`ours, HTTP: behind ${name}`);
  }
  return wrong;
}

let subgraphs: Server | undefined;
try {
  const port = await freePort();
  const services = Object.fromEntries(Object.keys(typeDefs).map((name) => [name, `http://127.0.0.1:${port}/${name}`]));
  const supergraph = join(folder, 'supergraph.graphql');
  const { supergraphSdl } = compose(
    Object.entries(typeDefs).map(([name, sdl]) => ({ name, url: services[name] ?? '', typeDefs: sdl })),
  );
  writeFileSync(supergraph, supergraphSdl);
  subgraphs = await start(join(here, 'subgraphs.ts'), { env: { PORT: String(port) }, path: '' });
  const truth = new Map<string, string>();
  const chosen = contenders(supergraph, services).filter(({ name }) => new RegExp(values.only).test(name));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const contender of chosen) {
      const why = skipped.get(contender.name) ?? missing(contender);
      if (!why) {
        await measure(contender, supergraph, subgraphs.url, truth).catch((error: unknown) => {
          skipped.set(contender.name, (error as Error).message);
        });
      } else skipped.set(contender.name, why);
    }
  }
  printFigures();
  const wrong = verdict();
  print(wrong.length === 0 ? '\nall as it should be' : `\nWRONG:\n${wrong.join('\n')}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await subgraphs?.stop();
  rmSync(folder, { recursive: true, force: true });
}
