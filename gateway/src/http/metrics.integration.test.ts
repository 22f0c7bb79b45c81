import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

describe('the metrics of the gateway', () => {
  let server: ExampleServer;
  beforeAll(async () => {
    register.resetMetrics(); // earlier tests in this process were counted too
    server = await startExampleServer({ GRAPHQL_WS_QUEUE: '2' });
  });
  afterAll(() => server.stop());

  it('count operations by name, fetches by subgraph and errors by code', async () => {
    await server.post('query Buyer { order(no: 1) { buyer { name } } }');
    await server.post('query Broken { broken }');

    const text = await register.metrics();
    expect(text).toContain('foyer_graphql_operation_seconds_count{operation="Buyer",type="query",outcome="ok"} 1');
    expect(text).toContain('foyer_graphql_operation_seconds_count{operation="Broken",type="query",outcome="error"} 1');
    expect(text).toContain('foyer_graphql_fetch_seconds_count{subgraph="shop",outcome="ok"} 1');
    expect(text).toContain('foyer_graphql_fetch_seconds_count{subgraph="people",outcome="error"} 1');
    expect(text).toContain('foyer_graphql_errors_total{code="INTERNAL_SERVER_ERROR"} 1');
  });

  it('count the events of streams, also those dropped for a slow client', async () => {
    const valueOf = async (metric: string) =>
      Number(new RegExp(`^${metric}\\{subgraph="shop"\\} (\\d+)$`, 'm').exec(await register.metrics())?.[1] ?? 0);
    const { results, leave } = watch(aClient(server.wsUrl), 'subscription { everyOrder { no buyer { name } } }');
    await expect.poll(() => server.seen.live).toBe(1);
    expect(await valueOf('foyer_graphql_streams')).toBe(1);

    for (let at = 0; at < 20; at += 1) server.publish('A1');

    await vi.waitFor(async () => {
      expect(await valueOf('foyer_graphql_events_total')).toBe(20);
      expect(results.length + (await valueOf('foyer_graphql_events_dropped_total'))).toBe(20);
    });
    expect(await valueOf('foyer_graphql_events_dropped_total')).toBeGreaterThan(0);
    leave();
    await expect.poll(() => valueOf('foyer_graphql_streams')).toBe(0);
  });

  it('contain no name as long as a request may be', async () => {
    await server.post(`query ${'Long'.repeat(1_000)} { __typename }`);

    expect(await register.metrics()).not.toContain('LongLongLong');
  });

  it('do not grow with the names that clients make up', async () => {
    for (let at = 0; at < 250; at += 1) await server.post(`query Made${at} { __typename }`);

    const text = await register.metrics();
    expect(text).toContain('operation="other"');
    expect(text).not.toContain('operation="Made249"');
  });
});
