import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openTinyHouse, type TinyHouse } from './testing/tiny-house.ts';

describe('the metrics of the gateway', () => {
  let house: TinyHouse;
  beforeAll(async () => {
    house = await openTinyHouse();
  });
  afterAll(() => house.stop());

  it('count operations by name, fetches by subgraph and errors by code', async () => {
    await house.post('query Buyer { order(no: 1) { buyer { name } } }');
    await house.post('query Broken { broken }');

    const text = await register.metrics();
    expect(text).toContain('foyer_graphql_operation_seconds_count{operation="Buyer",type="query",outcome="ok"} 1');
    expect(text).toContain('foyer_graphql_operation_seconds_count{operation="Broken",type="query",outcome="error"} 1');
    expect(text).toContain('foyer_graphql_fetch_seconds_count{subgraph="shop",outcome="ok"} 1');
    expect(text).toContain('foyer_graphql_fetch_seconds_count{subgraph="people",outcome="error"} 1');
    expect(text).toContain('foyer_graphql_errors_total{code="INTERNAL_SERVER_ERROR"} 1');
  });

  it('do not grow with the names that clients make up', async () => {
    for (let at = 0; at < 250; at += 1) await house.post(`query Made${at} { __typename }`);

    const text = await register.metrics();
    expect(text).toContain('operation="other"');
    expect(text).not.toContain('operation="Made249"');
  });
});
