/** The cost of a REST route compared with its GraphQL operation, in a real server on a real database. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { routes } from '@foyer/rest-compat/routes';
import { print as printDocument } from 'graphql';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../../support/servers/server-process.ts';
import { call } from '../call.ts';
import { press, type Load } from '../gateway/load.ts';
import { cpuMsOf } from '../gateway/usage.ts';
import { median } from '../median.ts';
import { print } from '../print.ts';

/** How many times its operation a route may cost. */
export const MOST_TIMES = 1.15;
const WARM_SECONDS = 2;
const IDLE_SECONDS = 10;

/** Loaded into the server before itself; from its sources, one of its modules can be wrapped. */
const preloaded = ['../from-sources.ts', 'inside.ts'];

const startFromSources = () =>
  startServerProcess({
    NODE_OPTIONS: preloaded.map((file) => `--import ${join(import.meta.dirname, file)}`).join(' '),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    GRAPHQL_REQUESTS_PER_ADDRESS: '0',
    GRAPHQL_REQUESTS_PER_VIEWER: '0',
  });

/** A request; `@` in its body becomes another number each time. */
interface Operation {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: object;
}

interface Case {
  name: string;
  /** The key of the row in the table of routes. */
  row: string;
  request: Operation;
  variables: object;
}

async function cases({ url }: ServerProcess): Promise<Case[]> {
  const login = { username: 'orgadmin@acme.test', password: 'Foyer-demo-1', company_code: 'ACME' };
  const { access_token: token } = await call<{ access_token: string }>('POST', `${url}/api/v1/login`, login);
  const headers = { authorization: `Bearer ${token}` };
  const { org } = await call<{ org: { id: string } }>('GET', `${url}/api/v1/identity/users/me`, undefined, headers);
  const base = `/api/v1/tenancy/organizations/${org.id}`;
  const row = '/api/v1/tenancy/organizations/:orgId';
  const page = { organizationId: org.id, first: 20, offset: 0 };
  const team = { name: 'Team @', description: '' };
  return [
    {
      name: 'who am I',
      row: 'GET /api/v1/identity/users/me',
      request: { method: 'GET', url: '/api/v1/identity/users/me', headers },
      variables: {},
    },
    {
      name: 'a list of people',
      row: `GET ${row}/users`,
      request: { method: 'GET', url: `${base}/users`, headers },
      variables: page,
    },
    {
      name: 'a team is made',
      row: `POST ${row}/teams`,
      request: { method: 'POST', url: `${base}/teams`, headers, body: team },
      variables: { input: { organizationId: org.id, ...team } },
    },
  ];
}

let numbered = Date.now();

/** Repeats a request; `@` in it becomes another number each time. */
function under({ url, pid }: ServerProcess, operation: Operation, seconds: number): Promise<Load> {
  const { method, url: path, headers, body } = operation;
  const text = body && JSON.stringify(body);
  const all = { ...headers, accept: 'application/json', ...(text && { 'content-type': 'application/json' }) };
  const another = () => text?.replaceAll('@', String((numbered += 1)));
  const request = () => ({ method, path, headers: all, ...(text && { body: another() ?? '' }) });
  return press(url, request, { seconds, pid });
}

/** CPU milliseconds a second that the server takes without requests. */
async function idleCpu({ pid }: ServerProcess): Promise<number> {
  const before = cpuMsOf(pid);
  await setTimeout(IDLE_SECONDS * 1_000);
  return (cpuMsOf(pid) - before) / IDLE_SECONDS;
}

async function measure(
  server: ServerProcess,
  { name, row, request, variables }: Case,
  { seconds, rounds: wanted }: Rounds,
): Promise<number> {
  const document = routes.find(({ method, url }) => `${String(method)} ${url}` === row)?.row?.document;
  if (!document) throw new Error(`there is no route ${row}`);
  const { headers } = request;
  const ways: Record<string, Operation> = {
    route: request, // first: the operation is that of the route which was called last
    nothing: { ...request, url: '/bench/nothing' },
    operation: { ...request, url: '/bench/operation' },
    '/graphql': { method: 'POST', url: '/graphql', headers, body: { query: printDocument(document), variables } },
  };
  for (const request of Object.values(ways)) await under(server, request, WARM_SECONDS); // the first would be the coldest
  const idle = await idleCpu(server);
  const rounds: Map<string, Load>[] = [];
  for (let round = 0; round < wanted; round += 1) {
    const loads = new Map<string, Load>();
    const order = Object.entries(ways);
    // Each handler is as often before the other as behind it.
    for (const [way, request] of round % 2 ? order.toReversed() : order) {
      const load = await under(server, request, seconds);
      loads.set(way, { ...load, cpuMs: load.cpuMs - idle / load.perSecond });
    }
    rounds.push(loads);
  }
  print(`\n${name}: ${row}`);
  for (const way of Object.keys(ways)) {
    const of = (measure: keyof Load) => median(rounds.map((loads) => loads.get(way)?.[measure] ?? NaN));
    print(`  ${way.padEnd(10)} ${of('cpuMs').toFixed(3)} ms CPU   ${of('perSecond').toFixed(0).padStart(6)}/s`);
  }
  const ratios = rounds.map((loads) => {
    const beyondNothing = (way: string) => (loads.get(way)?.cpuMs ?? NaN) - (loads.get('nothing')?.cpuMs ?? NaN);
    return beyondNothing('route') / beyondNothing('operation');
  });
  const ratio = median(ratios);
  print(`  the row costs ${ratio.toFixed(2)} times its operation`);
  return ratio;
}

interface Rounds {
  /** Of load, for each handler in each round. */
  seconds: number;
  rounds: number;
}

/**
 * Measures a few routes, and prints each.
 *
 * @returns how many times its operation the dearest of them costs
 */
export async function measureRoutes(rounds: Rounds = { seconds: 0.5, rounds: 15 }): Promise<number> {
  const server = await startFromSources();
  try {
    let worst = 0;
    for (const one of await cases(server)) worst = Math.max(worst, await measure(server, one, rounds));
    print(`\nthe most that a row costs: ${worst.toFixed(2)} times its operation   (wanted: at most ${MOST_TIMES})`);
    return worst;
  } finally {
    await stopServerProcess(server);
  }
}
