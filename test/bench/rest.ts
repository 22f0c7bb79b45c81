/**
 * The cost of a REST route compared with its GraphQL operation, in a real server on a real database:
 *
 *     pnpm bench:rest [--seconds 0.5] [--rounds 15]
 *
 * CPU time of the server for one request, by 20 connections, of four handlers of the same server: one that does nothing,
 * one that executes the operation in process (`gateway.execute`) for a viewer that is known, the route, and /graphql with
 * the same operation. What the route costs beyond nothing, over what the operation costs beyond nothing, is what the row
 * adds: it identifies the caller, reads the input and writes the answer. At most 1.15 is wanted.
 *
 * The rounds are short, so that the handlers compared have the same load beside them; the median of their ratios counts. What
 * the server takes when nobody asks it anything is subtracted: it would count for more where requests take longer.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { routes } from '@foyer/rest-compat/routes';
import { print as printDocument } from 'graphql';

import { stopServerProcess, startServerProcess } from '../support/servers/server-process.ts';
import { press, type Load } from './gateway/load.ts';
import { cpuMsOf } from './gateway/usage.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '0.5' }, rounds: { type: 'string', default: '15' } },
});
const seconds = Number(values.seconds);
const WARM_SECONDS = 2;
const IDLE_SECONDS = 10;
const MOST = 1.15;

/** A server from its sources, so that one of their modules can be wrapped. */
const preloaded = ['from-sources.ts', 'rest/inside.ts'];

const server = await startServerProcess({
  NODE_OPTIONS: preloaded.map((file) => `--import ${join(import.meta.dirname, file)}`).join(' '),
  LOG_LEVEL: 'warn',
  RATE_LIMITS: 'off',
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  GRAPHQL_REQUESTS_PER_VIEWER: '0',
});

async function call<Answer>(method: string, path: string, body?: object, headers = {}): Promise<Answer> {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), 'service-platform': 'mobile', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

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

async function cases(): Promise<Case[]> {
  const login = { username: 'orgadmin@acme.test', password: 'Foyer-demo-1', company_code: 'ACME' };
  const { access_token: token } = await call<{ access_token: string }>('POST', '/api/v1/login', login);
  const headers = { authorization: `Bearer ${token}` };
  const { org } = await call<{ org: { id: string } }>('GET', '/api/v1/identity/users/me', undefined, headers);
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
function under({ method, url: path, headers, body }: Operation, time = seconds): Promise<Load> {
  const text = body && JSON.stringify(body);
  const all = { ...headers, accept: 'application/json', ...(text && { 'content-type': 'application/json' }) };
  const another = () => text?.replaceAll('@', String((numbered += 1)));
  const request = () => ({ method, path, headers: all, ...(text && { body: another() ?? '' }) });
  return press(server.url, request, { seconds: time, pid: server.pid });
}

/** CPU milliseconds a second that the server takes without requests. */
async function idleCpu(): Promise<number> {
  const before = cpuMsOf(server.pid);
  await setTimeout(IDLE_SECONDS * 1_000);
  return (cpuMsOf(server.pid) - before) / IDLE_SECONDS;
}

async function measure({ name, row, request, variables }: Case): Promise<number> {
  const document = routes.find(({ method, url }) => `${String(method)} ${url}` === row)?.row?.document;
  if (!document) throw new Error(`there is no route ${row}`);
  const { headers } = request;
  const ways: Record<string, Operation> = {
    route: request, // first: the operation is that of the route which was called last
    nothing: { ...request, url: '/bench/nothing' },
    operation: { ...request, url: '/bench/operation' },
    '/graphql': { method: 'POST', url: '/graphql', headers, body: { query: printDocument(document), variables } },
  };
  for (const request of Object.values(ways)) await under(request, WARM_SECONDS); // the first would be the coldest
  const idle = await idleCpu();
  const rounds: Map<string, Load>[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const loads = new Map<string, Load>();
    const order = Object.entries(ways);
    // Each handler is as often before the other as behind it.
    for (const [way, request] of round % 2 ? order.toReversed() : order) {
      const load = await under(request);
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

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;

try {
  let worst = 0;
  for (const one of await cases()) worst = Math.max(worst, await measure(one));
  process.exitCode = worst <= MOST ? 0 : 1;
  print(`\nthe most that a row costs: ${worst.toFixed(2)} times its operation   (wanted: at most ${MOST})`);
} finally {
  await stopServerProcess(server);
}
