/**
 * How our gateway, with its subgraphs in its own process, scales:
 *
 *     pnpm bench:gateway-growth [--seconds 3] [--subscribers 1000]
 *
 * Prints the CPU time of queries that nobody has sent before, of 1 to 100 fields and 10 to 10,000 items of a
 * list; and for open subscriptions with 100 events a second, the memory of each and the delay of events.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compose } from '@foyer/gateway/supergraph/compose';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

import { queries, typeDefs } from './gateway/graph.ts';
import { load } from './gateway/load.ts';
import { start, type Server } from './gateway/processes.ts';
import { ticksTypeDefs } from './gateway/ticks.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, subscribers: { type: 'string', default: '1000' } },
});
const seconds = Number(values.seconds);
const subscribers = Number(values.subscribers);
const PER_CONNECTION = 50;
const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'));
const supergraph = join(folder, 'supergraph.graphql');
writeFileSync(
  supergraph,
  compose(
    Object.entries({ ...typeDefs, ticks: ticksTypeDefs }).map(([name, sdl]) => ({ name, url: '', typeDefs: sdl })),
  ).supergraphSdl,
);

const open = (env: Record<string, string>): Promise<Server> =>
  start(join(import.meta.dirname, 'gateway/in-process.ts'), {
    path: '/graphql',
    env: {
      SUPERGRAPH: supergraph,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      GRAPHQL_REQUESTS_PER_ADDRESS: '0',
      GRAPHQL_MAX_COST: '0',
      GRAPHQL_PLANNING_MS: '0',
      EVERY_MS: '10',
      GRAPHQL_MAX_ALIASES: '200',
      GRAPHQL_MAX_STREAMS_PER_VIEWER: '0',
      ...env,
    },
  });

const memoryOf = ({ pid }: Server): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

async function growth(): Promise<void> {
  const server = await open({ TOPICS: '1' });
  const measure = async (name: string, query: string | (() => string)) => {
    await load(server.url, query, { seconds: 1, pid: server.pid });
    const { cpuMs, perSecond } = await load(server.url, query, { seconds, pid: server.pid });
    print(`${name.padEnd(34)} ${cpuMs.toFixed(3).padStart(9)} ms CPU ${perSecond.toFixed(0).padStart(7)}/s`);
  };
  let last = 0;
  await measure('light, always the same', queries.light);
  await measure('light, never the same', () => queries.light.replace('{', `{ unique${(last += 1)}: me { id }`));
  for (const fields of [1, 10, 100]) {
    const selection = Array.from({ length: fields }, (_, at) => `f${at}: name`).join(' ');
    await measure(`${fields} fields`, `{ me { ${selection} } }`);
  }
  for (const items of [10, 100, 1_000, 10_000]) {
    await measure(`${items} items, 2 subgraphs`, `{ topProducts(first: ${items}) { name inStock } }`);
  }
  await server.stop();
}

async function subscriptions(topics: number, shared: boolean): Promise<void> {
  const server = await open({ TOPICS: String(topics), GRAPHQL_SHARED_SUBSCRIPTIONS: shared ? '*' : '' });
  const url = server.url.replace('http', 'ws');
  const before = memoryOf(server);
  const late: number[] = [];
  const clients: Client[] = [];
  const broken: unknown[] = [];
  for (let at = 0; at < subscribers; at += 1) {
    if (at % PER_CONNECTION === 0) clients.push(createClient({ url, webSocketImpl: WebSocket, lazy: true }));
    clients.at(-1)?.subscribe<{ tick: { at: number } }>(
      {
        query: 'subscription ($topic: Int!) { tick(topic: $topic) { at product { name } } }',
        variables: { topic: at },
      },
      {
        next: ({ data }) => void (data && late.push(Date.now() - data.tick.at)),
        error: (error) => void broken.push(error),
        complete: () => undefined,
      },
    );
  }
  await pause(2_000);
  late.length = 0;
  await pause(seconds * 1_000);
  const delivered = late.length / seconds;
  const sorted = late.toSorted((one, other) => one - other);
  print(
    [
      `${subscribers} subscribers of ${topics} topics${shared ? ', shared' : ''}`.padEnd(44),
      `${delivered.toFixed(0).padStart(7)} deliveries/s`,
      `p99 ${sorted[Math.floor(sorted.length * 0.99)] ?? '–'} ms late`,
      `${((memoryOf(server) - before) / subscribers / 1_024).toFixed(1)} KiB a subscriber`,
      `${broken.length} broken`,
    ].join('  '),
  );
  if (broken.length > 0) process.exitCode = 1;
  await Promise.all(clients.map(async (client) => client.dispose()));
  await server.stop();
}

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

try {
  await growth();
  await subscriptions(100, false);
  await subscriptions(100, true);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
