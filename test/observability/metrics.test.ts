import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import {
  stopServerProcess,
  distributed,
  startServerProcess,
  type ServerProcess,
} from '../support/servers/server-process.ts';
import { graphql, send } from '../support/fixtures/people.ts';
import { acmeAdmin, aGuest, onSale, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

const docs = join(import.meta.dirname, '../../docs');

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50' });
});
afterAll(() => stopServerProcess(server));

/** The addresses of the metrics of each process. */
const processes = () =>
  distributed
    ? [...server.printed().matchAll(/^(?!Foyer)\w+ is open: (http\S+)$/gm)].map(([, url = '']) => url)
    : [server.url];

/** The metrics of all of them. */
const metrics = async () =>
  (await Promise.all(processes().map(async (url) => (await fetch(`${url}/metrics`)).text()))).join('\n');

/** The sum of the series of this name that have these labels; undefined while there is none. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const values = (await metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}${Object.keys(labels).length > 0 ? '{' : ' '}`))
    .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length > 0 ? values.reduce((sum, value) => sum + value) : undefined;
}
const untilTold = async (name: string, labels: Record<string, string>): Promise<number> => {
  const { value } = await until(`${name} ${JSON.stringify(labels)}`, async () => {
    const value = await valueOf(name, labels);
    return value !== undefined && { value };
  });
  return value;
};

describe('the metrics of a server', () => {
  it('count a request by the pattern of its route, and its operation and fetches by name', async () => {
    await send(server, 'GET', '/api/v1/auth/company-codes/TYPEDBYHAND');

    const route = { method: 'GET', route: '/api/v1/auth/company-codes/:companyCode', status: '404' };
    expect(await untilTold('foyer_http_request_seconds_count', route)).toBe(1);
    expect(await untilTold('foyer_graphql_fetch_seconds_count', { subgraph: 'identity' })).toBeGreaterThan(0);
    expect(await metrics()).not.toContain('TYPEDBYHAND');
  });

  it('time a job by its outcome, and count the waiting and the failed ones', async () => {
    const free = await onSale(server, await acmeAdmin(server), { variant: { unitPriceSen: 0 } });
    const input = orderInput(free, await aGuest(server));
    const body = { ...input, ticketGroupId: Number(input.ticketGroupId) };
    expect((await send(server, 'POST', '/api/orderTicketGroup/free', { body })).status).toBe(200);

    const job = 'ticketing.send-confirmation';
    expect(await untilTold('foyer_job_seconds_count', { job, outcome: 'done' })).toBe(1);
    for (const state of ['ready', 'deferred', 'active']) await untilTold('foyer_jobs', { job, state });
    expect(await untilTold('foyer_jobs', { job, state: 'failed' })).toBe(0);
  });

  it('count open streams and connections, and their events', async () => {
    const customer = await aGuest(server);
    const client = createClient({ url: `${server.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
    const free = await onSale(server, await acmeAdmin(server), {});
    const placed = await send(server, 'POST', '/api/orderTicketGroup', {
      body: { ...orderInput(free, customer), ticketGroupId: Number(free.ticketGroupId) },
    });
    expect(placed.status).toBe(200);
    const events = client.iterate({
      query: `subscription ($no: String!) { orderStatusChanged(orderNo: $no, email: "guest@example.test") { orderNo } }`,
      variables: { no: placed.json.orderNo as string },
    });
    await events.next();

    expect(await valueOf('foyer_graphql_streams', { subgraph: 'ticketing' })).toBe(1);
    expect(await valueOf('foyer_graphql_events_total', { subgraph: 'ticketing' })).toBeGreaterThan(0);
    expect(await valueOf('foyer_graphql_connections')).toBe(1);
    await client.dispose();
    await until(
      'the stream to end',
      async () => (await valueOf('foyer_graphql_streams', { subgraph: 'ticketing' })) === 0,
    );
  });

  it('show the use of the connections to the database', async () => {
    await graphql(server, '{ ticketGroups(first: 1) { edges { node { slug } } } }');

    const states = await Promise.all(
      ['busy', 'idle', 'waiting'].map((state) => valueOf('foyer_database_connections', { state })),
    );
    expect(states.every((count) => count !== undefined)).toBe(true);
    expect((states[0] ?? 0) + (states[1] ?? 0)).toBeGreaterThan(0);
  });

  it('are all that the dashboard queries', async () => {
    const known = new Set(
      [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => seriesOf(name, type)),
    );
    const shown = await namesOnTheDashboard();

    expect(shown.length).toBeGreaterThan(15);
    expect(shown.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are all explained to operators', async () => {
    const operations = await readFile(join(docs, 'operations.md'), 'utf8');
    const ours = [...(await metrics()).matchAll(/^# TYPE (foyer_\S+) /gm)].map(([, name = '']) => name);

    expect(ours.length).toBeGreaterThan(9);
    expect(ours.filter((name) => !operations.includes(`\`${name}`))).toEqual([]);
  });
});

const seriesOf = (name: string, type = '') =>
  type === 'histogram' ? ['bucket', 'sum', 'count'].map((series) => `${name}_${series}`) : [name];

interface Dashboard {
  panels: { targets?: { expr: string }[] }[];
  templating: { list: { type: string; query: unknown }[] };
}

const readDashboard = async () => JSON.parse(await readFile(join(docs, 'grafana-dashboard.json'), 'utf8')) as Dashboard;

/** Every metric that a panel or a variable queries: names come before braces, brackets or a comparison. */
async function namesOnTheDashboard(): Promise<string[]> {
  const { panels, templating } = await readDashboard();
  const shown = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => JSON.stringify(query)),
  ];
  return [...new Set(shown.flatMap((text) => text.match(/\b(?:foyer|process|nodejs)_\w+/g) ?? []))];
}

describe('the dashboard', () => {
  it('is served by the server itself, under the link in its document', async () => {
    const { status, json } = await send(server, 'GET', '/docs/docs/grafana-dashboard.json');
    expect([status, json]).toEqual([200, await readDashboard()]);
  });

  it('lets its reader choose the Prometheus server', async () => {
    const { panels, templating } = await readDashboard();

    expect(templating.list[0]).toMatchObject({ type: 'datasource', query: 'prometheus' });
    const sources = new Set([...JSON.stringify(panels).matchAll(/"uid":"([^"]*)"/g)].map(([, uid]) => uid));
    expect([...sources]).toEqual(['${datasource}']);
  });
});
