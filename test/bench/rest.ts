/**
 * What a REST route costs beside the GraphQL operation that it runs, in a real house on a real database:
 *
 *     pnpm bench:rest [--seconds 4] [--times 500]
 *
 * In process, CPU time of one request after the other: the operation by `gateway.execute`, for somebody who is
 * known already; the whole route by an injected request, less what an injected request to an empty handler costs.
 * Their ratio is what the row adds: it finds out who asks, reads the input and writes the answer. At most 1.3 is wanted.
 *
 * Over HTTP, by 20 connections: CPU time and requests per second of the house, for the route and for the same
 * operation posted to /graphql.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { routes } from '@foyer/rest-compat/routes';
import { print as printDocument } from 'graphql';

import { closeHouse, openHouse } from '../support/house.ts';
import { press, type Load } from './gateway/load.ts';
import { print } from './print.ts';
import type { Asked, Cost } from './rest/inside.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, times: { type: 'string', default: '500' } },
});
const seconds = Number(values.seconds);
const times = Number(values.times);
const MOST = 1.3;
const ROUNDS = 6;

const house = await openHouse({
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'rest/inside.ts')}`,
  LOG_LEVEL: 'warn',
  RATE_LIMITS: 'off',
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  GRAPHQL_REQUESTS_PER_VIEWER: '0',
});

async function call<Answer>(method: string, path: string, body?: object, headers = {}): Promise<Answer> {
  const response = await fetch(new URL(path, house.url), {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), 'service-platform': 'mobile', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

interface Case {
  name: string;
  /** Of the row, as it stands in the table of routes. */
  row: string;
  asked: Omit<Asked, 'times'>;
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
      asked: { method: 'GET', url: '/api/v1/identity/users/me', headers },
      variables: {},
    },
    {
      name: 'a list of people',
      row: `GET ${row}/users`,
      asked: { method: 'GET', url: `${base}/users`, headers },
      variables: page,
    },
    {
      name: 'a team is made',
      row: `POST ${row}/teams`,
      asked: { method: 'POST', url: `${base}/teams`, headers, body: team },
      variables: { input: { organizationId: org.id, ...team } },
    },
  ];
}

/** The same request again and again, over HTTP; `@` in it is another number each time. */
function overHttp({ method, url, headers, body }: Omit<Asked, 'times'>): Promise<Load> {
  const text = body && JSON.stringify(body);
  const path = url;
  const all = { ...headers, accept: 'application/json', ...(text && { 'content-type': 'application/json' }) };
  const request = () => ({ method, path, headers: all, ...(text && { body: another(text) }) });
  return press(house.url, request, { seconds, pid: house.pid });
}
let numbered = Date.now() * 2; // beyond what was counted within the house
const another = (text: string) => text.replaceAll('@', String((numbered += 1)));

/** The first rounds are those in which the compiler sees what is hot. */
async function best(asked: Case['asked']): Promise<Cost> {
  const rounds: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await call('POST', '/bench/row', { ...asked, times }));
  const least = (of: keyof Cost) => Math.min(...rounds.map((cost) => cost[of]));
  return {
    operation: least('operation'),
    authentication: least('authentication'),
    route: least('route'),
    nothing: least('nothing'),
  };
}

const ms = (value: number) => `${value.toFixed(3)} ms`.padStart(9);

async function measure({ name, row, asked, variables }: Case): Promise<number> {
  const document = routes.find(({ method, url }) => `${String(method)} ${url}` === row)?.row?.document;
  if (!document) throw new Error(`there is no route ${row}`);
  const inside = await best(asked);
  const added = inside.route - inside.nothing;
  const ratio = added / inside.operation;
  print(`\n${name}: ${row}`);
  print(`  in process   operation ${ms(inside.operation)}   route ${ms(added)}   ${ratio.toFixed(2)} times`);
  print(`               of the route, finding out who asks ${ms(inside.authentication)}`);

  const body = { query: printDocument(document), variables };
  const rest = await overHttp(asked);
  const graphql = await overHttp({ method: 'POST', url: '/graphql', headers: asked.headers, body });
  for (const [way, { cpuMs, perSecond }] of Object.entries({ REST: rest, GraphQL: graphql })) {
    print(`  over HTTP    ${way.padEnd(9)} ${ms(cpuMs)} CPU   ${perSecond.toFixed(0).padStart(6)}/s`);
  }
  print(`               ${(rest.cpuMs / graphql.cpuMs).toFixed(2)} times the CPU`);
  return ratio;
}

try {
  let worst = 0;
  for (const one of await cases()) worst = Math.max(worst, await measure(one));
  print(`\nthe most that a row adds: ${worst.toFixed(2)} times its operation   (wanted: at most ${MOST})`);
} finally {
  await closeHouse(house);
}
