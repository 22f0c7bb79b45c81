/**
 * How lists grow with their tables, through the public API of a warm server:
 *
 *     pnpm bench:growth [--sizes 10000,100000] [--requests 10] [--rounds 3] [--only REGEXP]
 *
 * Fills the tables of a database of its own up to each size. Prints the median (the best of the rounds) and p95 of the first page
 * of each list, of a page from its middle on by cursor, and of the number of its rows. Ends with 1 when a page takes more than
 * twice as long in the largest tables as in the smallest, by more than half a millisecond; the target was set for `--sizes
 * 10000,1000000`, which fills for minutes and needs 5 GB. A request without any list shows how much faster or slower the machine
 * was meanwhile. Numbers of rows are exact, so they may grow.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { cursorOf } from '@foyer/shared/pagination';
import { Client } from 'pg';
import { Pool } from 'undici';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { fill } from './growth/fill.ts';
import type { List, Reader } from './growth/list.ts';
import { lists } from './growth/lists.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    requests: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const MOST_TIMES = 2;
/** A smaller difference is none. */
const NEGLIGIBLE_MS = 0.5;
const PASSWORD = 'Foyer-demo-1';

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const postgres = await startEmbeddedPostgres(folder, { durable: false });
const db = new Client({ connectionString: postgres.url });
let server: ServerProcess | undefined;

interface Query {
  name: string;
  as: Reader;
  query: string;
  limited: boolean;
}
interface Times {
  median: number;
  p95: number;
}

async function open(url: string) {
  const connections = new Pool(url, { connections: 1, pipelining: 1 });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await connections.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-platform': 'mobile', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300 || text.includes('"errors"')) throw new Error(`${JSON.stringify(body)}: ${text}`);
    return text;
  };
  const login = async (username: string, company_code: string) => {
    const text = await post('/api/v1/login', { username, password: PASSWORD, company_code });
    const { access_token } = JSON.parse(text) as { access_token: string };
    return { authorization: `Bearer ${access_token}` };
  };
  const loginCustomer = async () => {
    const query = `mutation { loginCustomer(email: "customer@foyer.test", password: "${PASSWORD}") { token } }`;
    const { data } = JSON.parse(await post('/graphql', { query })) as { data: { loginCustomer: { token: string } } };
    return { authorization: `Bearer ${data.loginCustomer.token}` };
  };
  const headers: Record<Reader, Record<string, string>> = {
    administrator: await login('orgadmin@acme.test', 'ACME'),
    member: await login('member@acme.test', 'ACME'),
    platform: await login('admin@foyer.test', 'PLATFORM'),
    customer: await loginCustomer(),
    anybody: {},
  };
  const ask = ({ as, query }: Query) => post('/graphql', { query }, headers[as]);
  return { ask, close: () => connections.close() };
}

const nothing: Query = {
  name: 'a request without a list',
  as: 'administrator',
  query: '{ __typename }',
  limited: false,
};

async function queriesOf(list: List): Promise<Query[]> {
  const { name, as } = list;
  const page = (after?: string) =>
    fieldOf(list, `edges { node { ${list.node} } } pageInfo { hasNextPage endCursor }`, after);
  const queries = [{ name: `${name}: first page`, as, query: page(), limited: true }];
  const cursor = await middleOf(list);
  if (cursor) queries.push({ name: `${name}: from the middle`, as, query: page(cursor), limited: true });
  if (list.counted)
    queries.push({ name: `${name}: number`, as, query: fieldOf(list, 'totalCount', undefined, 1), limited: false });
  return queries;
}

function fieldOf({ within, field, arguments: given }: List, selection: string, after?: string, first = 20): string {
  const page = [given, `first: ${first}`, after && `after: ${JSON.stringify(after)}`].filter(Boolean).join(', ');
  const asked = `${field}(${page}) { ${selection} }`;
  return within ? `{ ${within} { ${asked} } }` : `{ ${asked} }`;
}

async function middleOf({ middle, plainCursor }: List): Promise<string | undefined> {
  if (!middle) return undefined;
  const { rows } = await db.query<Record<string, string | number | Date>>(middle);
  const [row] = rows;
  if (!row) return undefined;
  const keys = Object.values(row).map((value) => (value instanceof Date ? value.toISOString() : String(value)));
  return plainCursor ? keys[0] : cursorOf(...keys);
}

async function measure(queries: readonly Query[], ask: (query: Query) => Promise<string>) {
  for (let warm = 0; warm < 6; warm += 1)
    for (const query of queries.filter(({ limited }) => limited)) await ask(query);
  const found = new Map<string, Times>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const query of queries) {
      const times: number[] = [];
      for (let at = 0; at < Number(values.requests); at += 1) {
        const started = performance.now();
        await ask(query);
        times.push(performance.now() - started);
      }
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
      const best = found.get(query.name);
      if (!best || at(0.5) < best.median) found.set(query.name, { median: at(0.5), p95: at(0.95) });
    }
  }
  return found;
}

function report(queries: readonly Query[], measured: readonly Map<string, Times>[]): void {
  const medianOf = (name: string, at: number) => measured.at(at)?.get(name)?.median ?? NaN;
  // A list that is empty in the smallest tables has no middle there.
  const firstOf = (name: string) => measured.find((times) => times.has(name))?.get(name)?.median ?? NaN;
  print(`\n${'median (p95) in ms'.padEnd(62)}${sizes.map((size) => String(size).padStart(18)).join('')}   times`);
  for (const { name, limited } of queries) {
    const growth = medianOf(name, -1) / firstOf(name);
    const isTooMuch = limited && growth > MOST_TIMES && medianOf(name, -1) - firstOf(name) > NEGLIGIBLE_MS;
    const columns = measured.map((times) => {
      const { median, p95 } = times.get(name) ?? { median: NaN, p95: NaN };
      return `${median.toFixed(1)} (${p95.toFixed(1)})`.padStart(18);
    });
    print(`${name.padEnd(62)}${columns.join('')}   ${growth.toFixed(2)}${isTooMuch ? ' TOO MUCH' : ''}`);
    if (isTooMuch) process.exitCode = 1;
  }
}

try {
  server = await startServerProcess({
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    GRAPHQL_REQUESTS_PER_ADDRESS: '0',
    GRAPHQL_REQUESTS_PER_VIEWER: '0',
    GRAPHQL_PLANNING_MS: '0',
  });
  await db.connect();
  const { ask, close } = await open(server.url);
  const measured: Map<string, Times>[] = [];
  const queries = new Map([[nothing.name, nothing]]);
  let present = 0;
  for (const size of sizes) {
    const started = performance.now();
    await fill(db, present, size);
    present = size;
    print(`${size} rows: filled in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    const { rows } = await db.query<{ number: string }>(
      'SELECT order_no AS number FROM ticketing.order_ticket_group WHERE order_ticket_group_id = 10000402',
    );
    const wanted = lists.filter(({ name }) => new RegExp(values.only).test(name));
    for (const list of wanted)
      for (const query of await queriesOf(list))
        queries.set(query.name, { ...query, query: query.query.replace('"ORDER"', JSON.stringify(rows[0]?.number)) });
    measured.push(await measure([...queries.values()], ask));
  }
  await close();
  report([...queries.values()], measured);
} finally {
  await stopServerProcess(server);
  await db.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
