/**
 * What the calls of identity cost, in requests that only verify a token, through the public API of a real server:
 *
 *     pnpm bench:identity [--seconds 4] [--rounds 3] [--clients 8] [--only REGEXP]
 *
 * In every round each call runs between two runs of the cheapest request with a verified token, so that both have the same
 * load beside them; the median of the rounds counts. Prints requests per second, p99, the CPU time of the server and of its
 * PostgreSQL for one request, round trips to the database, and memory. Ends with 1 when a call is dearer than wanted.
 *
 * Login is measured without the password hash, which costs what it is meant to cost. "The least" is the same work without GraphQL,
 * Prisma, limits and logs (./identity/floor.ts): what no change of ours could be cheaper than.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { Pool } from 'undici';

import { childrenOf } from '../support/servers/processes.ts';
import { stopServerProcess, startServerProcess } from '../support/servers/server-process.ts';
import { cpuMsOf, memoryOf } from './gateway/usage.ts';
import { withoutHash } from './identity/provider-without-hash.ts';
import { median } from './median.ts';
import { print } from './print.ts';

const PASSWORD = 'Foyer-demo-1';
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const admin = { username: 'admin@foyer.test', password: PASSWORD };
const provider = await startIdentityProvider({ folder, platform: { name: 'Foyer', admin } });
const standIn = await withoutHash(provider.url);
const address = standIn.address();
const foyer = await startServerProcess({
  IDP_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  IDP_PAT_FILE: provider.tokenFile,
  LOG_LEVEL: 'warn',
  RATE_LIMITS: 'off',
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  GRAPHQL_REQUESTS_PER_VIEWER: '0',
});
const connections = new Pool(foyer.url, { connections: clients, pipelining: 1 });

const postgres = await startEmbeddedPostgres(join(folder, 'floor'));
const floor = spawn(process.execPath, [join(import.meta.dirname, 'identity/floor.ts'), postgres.url], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [floorAddress] = (await once(floor.stdout, 'data')) as [Buffer];
const floorConnections = new Pool(floorAddress.toString().trim(), { connections: clients, pipelining: 1 });

async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  { headers, body, at = connections }: { headers?: Record<string, string>; body?: object; at?: Pool } = {},
): Promise<Answer> {
  const response = await at.request({
    method,
    path,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }), 'service-platform': 'mobile' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const login = () =>
  ask<Tokens>('POST', '/api/v1/login', {
    body: { username: 'member@acme.test', password: PASSWORD, company_code: 'ACME' },
  });

/** The CPU time so far, in ms. */
async function cpu(): Promise<{ server: number; database: number }> {
  const [postgres] = (await childrenOf(foyer)).filter(({ command }) => command.includes('postgres'));
  const backends = postgres ? [postgres, ...(await childrenOf(postgres))] : [];
  return { server: cpuMsOf(foyer.pid), database: backends.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0) };
}

interface Load {
  perSecond: number;
  p99Ms: number;
  serverMs: number;
  databaseMs: number;
}

/** Lets every client repeat its requests until the time is over. */
async function press(steps: readonly (() => Promise<unknown>)[]): Promise<Load> {
  for (const step of steps) await step(); // warm
  const times: number[] = [];
  const before = await cpu();
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    steps.map(async (step) => {
      for (let now = started; now < end; now = performance.now()) {
        await step();
        times.push(performance.now() - now);
      }
    }),
  );
  const took = (performance.now() - started) / 1_000;
  const after = await cpu();
  const sorted = times.toSorted((one, other) => one - other);
  return {
    perSecond: times.length / took,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    serverMs: (after.server - before.server) / times.length,
    databaseMs: (after.database - before.database) / times.length,
  };
}

const columns = (name: string, { perSecond, p99Ms, serverMs, databaseMs }: Load) =>
  [
    name.padEnd(26),
    `${perSecond.toFixed(0).padStart(6)}/s`,
    `p99 ${p99Ms.toFixed(1).padStart(6)} ms`,
    serverMs > 0.01 && `CPU ${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms`, // not of the least: it is another server
  ]
    .filter(Boolean)
    .join('   ');

type Clients = readonly (() => Promise<unknown>)[];

/** Prints how many times as dear the call is, by the requests per second of both. */
async function compare(name: string, token: Clients, call: Clients, most?: number): Promise<void> {
  if (!new RegExp(values.only).test(name)) return;
  const ratios: number[] = [];
  const loads: Load[] = [];
  let before = await press(token);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const load = await press(call);
    const after = await press(token);
    ratios.push((before.perSecond + after.perSecond) / 2 / load.perSecond);
    loads.push(load);
    before = after;
  }
  const ratio = median(ratios);
  const load = loads[ratios.indexOf(ratio)];
  print(columns('a verified token', before));
  const wanted = most === undefined ? '' : ` (wanted: ${most} at most)`;
  if (load) print(`${columns(name, load)}   ${ratio.toFixed(2)} × as dear${wanted}`);
  if (most !== undefined && !(ratio <= most)) process.exitCode = 1;
}

/** Exchanges the token of one session again and again. */
function refreshing({ refresh_token: first }: Tokens, path = '/api/v1/refresh', at = connections) {
  let refresh_token = first;
  return async () => {
    const body = { client_type: 'mobile', refresh_token };
    ({ refresh_token } = await ask<Tokens>('POST', path, { body, at }));
  };
}

const eightTimes = (step: () => Promise<unknown>): Clients => Array.from({ length: clients }, () => step);
const memory = () => `${Math.round(memoryOf(foyer.pid) / 1_048_576)} MiB`;

try {
  print(`${clients} clients, ${seconds} s each; memory ${memory()}`);
  const headers = { authorization: `Bearer ${(await login()).access_token}` };
  const token = eightTimes(() => ask('GET', '/api/v1/tenancy/permissions/catalog', { headers }));
  const me = () => ask('GET', '/api/v1/identity/users/me', { headers });
  await compare('/me', token, eightTimes(me), 1.5);
  const sessions = await Promise.all(Array.from({ length: clients }, login));
  await compare(
    'refresh',
    token,
    sessions.map((session) => refreshing(session)),
    5,
  );
  await compare('login, without the hash', token, eightTimes(login), 10);

  const at = floorConnections;
  const { sid, ...opened } = await ask<Tokens & { sid: string }>('POST', '/open', { body: {}, at });
  await compare(
    'the least: /me',
    token,
    eightTimes(() => ask('POST', '/me', { body: { sid }, at })),
  );
  const others = await Promise.all(
    Array.from({ length: clients - 1 }, () => ask<Tokens>('POST', '/open', { body: {}, at })),
  );
  const leastRefreshes = [opened, ...others].map((first) => refreshing(first, '/refresh', at));
  await compare('the least: refresh', token, leastRefreshes);
  print(`memory ${memory()}`);
} finally {
  await Promise.all([connections.close(), floorConnections.close()]);
  floor.kill();
  await postgres.stop();
  await stopServerProcess(foyer);
  standIn.close();
  standIn.closeAllConnections();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
}
