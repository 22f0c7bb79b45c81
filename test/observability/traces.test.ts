import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { openCollector, pathOf, type Collector, type Span } from '../support/servers/collector.ts';
import { goToTheBank, payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import {
  stopServerProcess,
  distributed,
  startServerProcess,
  type ServerProcess,
} from '../support/servers/server-process.ts';
import type { Json } from '../support/json.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { acmeAdmin, aGuest, onSale, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

let server: ServerProcess;
let collector: Collector;
beforeAll(async () => {
  collector = await openCollector();
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50', PAYMENT_REQUERY_SECONDS: '1,60', ...collector.env });
});
afterAll(async () => {
  await stopServerProcess(server);
  await collector.stop();
});

const BUYER = { buyerName: 'Puan Rahsia', buyerEmail: 'rahsia@example.test' };
const aTrace = () => crypto.randomUUID().replaceAll('-', '');
const CLIENT_SPAN = 'b7ad6b7169203331';

/** A free order over REST, by a client that traces; its trace once it is complete, and the answer. */
async function orderTraced() {
  const traceId = aTrace();
  const free = await onSale(server, await acmeAdmin(server), { variant: { unitPriceSen: 0 } });
  const input = orderInput(free, await aGuest(server), BUYER);
  const { status, json } = await send(server, 'POST', '/api/orderTicketGroup/free', {
    headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
    body: { ...input, ticketGroupId: Number(input.ticketGroupId) },
  });
  expect(status).toBe(200);
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  const spans = await until('the end of the job and of the request', async () => {
    const names = ofTrace().map(({ name }) => name);
    return names.includes('process ticketing.send-confirmation') && names.some((name) => name.startsWith('POST /api'))
      ? ofTrace()
      : undefined;
  });
  return { spans, orderNo: (json as { orderNo: string }).orderNo };
}

/** From the request down to a span of this name, without what the network and the client of the database add. */
function wayTo(name: string | RegExp, spans: readonly Span[]) {
  const [span] = spans.filter((one) => one.name.match(name)).map((one) => pathOf(one, spans));
  return span?.filter(
    (step) => !/^(?:prisma:client:(?:operation|transaction)|POST ticketing|POST \/graphql)$/.test(step),
  );
}

describe('an order placed over REST', () => {
  const request = [
    'POST /api/orderTicketGroup/free',
    'mutation CreateFreeOrder',
    'fetch ticketing',
    'execute ticketing',
  ];
  const job = [...request, 'send ticketing.send-confirmation', 'process ticketing.send-confirmation'];

  it('is one trace: request, operation, fetch, SQL, job, and the mail that the job sends', async () => {
    const { spans } = await orderTraced();

    expect(wayTo('prisma:client:db_query', spans)).toEqual([...request, 'prisma:client:db_query']);
    expect(wayTo('process ticketing.send-confirmation', spans)).toEqual(job);
    expect(wayTo('send mail', spans)).toEqual([...job, 'send mail']);
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });

  it('continues the trace of its client', async () => {
    const { spans } = await orderTraced();

    const [first, ...others] = spans.filter(({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId));
    expect([first?.name, first?.parentSpanId, others]).toEqual([request[0], CLIENT_SPAN, []]);
  });

  it('has spans named by the conventions', async () => {
    const { spans } = await orderTraced();
    const called = (name: string) => spans.find((span) => span.name === name);

    expect(called('POST /api/orderTicketGroup/free')).toMatchObject({
      kind: 'server',
      attributes: { 'http.request.method': 'POST', 'http.route': '/api/orderTicketGroup/free' },
    });
    expect(called('mutation CreateFreeOrder')?.attributes).toEqual({
      'graphql.operation.type': 'mutation',
      'graphql.operation.name': 'CreateFreeOrder',
    });
    expect(called('prisma:client:db_query')).toMatchObject({
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': expect.any(String) },
    });
    expect(called('process ticketing.send-confirmation')).toMatchObject({
      kind: 'consumer',
      service: distributed ? 'foyer-worker' : 'foyer',
      attributes: { 'messaging.system': 'pg-boss', 'messaging.destination.name': 'ticketing.send-confirmation' },
    });
  });

  it('contains no input of the buyer and no token', async () => {
    const { spans, orderNo } = await orderTraced();
    const { access_token: token } = await acmeAdmin(server);

    const told = JSON.stringify(collector.spans);
    expect(spans.length).toBeGreaterThan(20);
    for (const secret of [...Object.values(BUYER), orderNo, token, 'Foyer-demo-1']) expect(told).not.toContain(secret);
  });
});

describe('other traces', () => {
  it('show a plan only in the first request, because it is made once', async () => {
    const query = 'query Once { ticketGroups(first: 3) { edges { node { slug } } } }';
    const partsOf = async (...awaited: string[]) => {
      const traceId = aTrace();
      const headers = { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` };
      await send(server, 'POST', '/graphql', { headers, body: { query } });
      const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
      // Each process sends its spans in its own time.
      await until('the trace', async () => {
        const names = ofTrace().map(({ name }) => name);
        return names.length > 3 && ['POST /graphql', ...awaited].every((name) => names.includes(name));
      });
      const spans = ofTrace();
      return spans.filter(({ name }) => name.startsWith('graphql')).map((span) => pathOf(span, spans).slice(-2));
    };

    // Once per gateway: each makes its own plan.
    await partsOf('graphql.plan').then((parts) =>
      expect(parts).toEqual(['parse', 'validate', 'plan'].map((part) => ['query Once', `graphql.${part}`])),
    );
    await until('a plan that was made before', async () => (await partsOf()).length === 0);
  });

  it('are not recorded for a client whose trace is not sampled', async () => {
    const [unwanted, wanted] = [aTrace(), aTrace()];
    const ask = (traceId: string, flags: string) =>
      send(server, 'POST', '/graphql', {
        headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-${flags}` },
        body: { query: '{ ticketGroups(first: 1) { edges { node { slug } } } }' },
      });

    await ask(unwanted, '00');
    await ask(wanted, '01');

    await until('the other trace', async () => collector.spans.some(({ traceId }) => traceId === wanted));
    expect(collector.spans.filter(({ traceId }) => traceId === unwanted)).toEqual([]);
  });

  it('show the calls of the identity provider, to which no trace is sent', async () => {
    await acmeAdmin(server);

    const call = await until('the call', async () =>
      collector.spans.find(({ name }) => name === 'identity provider CreateSession'),
    );
    expect(call).toMatchObject({ kind: 'client', attributes: { 'peer.service': 'identity provider' } });
    expect(pathOf(call, collector.spans)[0]).toBe('POST /api/v1/login');
  });

  it('of a refused operation have its code', async () => {
    await send(server, 'POST', '/graphql', { body: { query: 'query Nobody { me { __typename } }' } });

    const failed = await until('the span', async () => collector.spans.find(({ name }) => name === 'query Nobody'));
    expect(failed).toMatchObject({ failed: true, attributes: { 'error.type': expect.stringMatching(/^[A-Z_]+$/) } });
  });

  it('of a subscription: one for each event, which links to the one that opened it', async () => {
    const customer = await logInCustomer(server);
    const order = await placeOrder(server, customer);
    const traceId = aTrace();
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${customer.token}` },
    });
    const events = client.iterate<Json>({
      query: 'subscription Watched ($orderNo: String!) { orderStatusChanged(orderNo: $orderNo) { transactionStatus } }',
      variables: { orderNo: order.orderNo },
      extensions: { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
    });
    await events.next();
    await payAtTheBank(server, order.orderNo);
    await events.next();

    const named = (name: string) => collector.spans.filter((span) => span.name === name);
    await until('its spans', async () => named('subscription Watched event').length > 1);
    const [opening] = await until(
      'the opening',
      async () => named('subscription Watched').length > 0 && named('subscription Watched'),
    );
    expect(opening).toMatchObject({ traceId, parentSpanId: CLIENT_SPAN });
    for (const event of named('subscription Watched event')) {
      expect(event.parentSpanId).toBe('');
      expect(event.traceId).not.toBe(traceId);
      expect(event.links).toMatchObject([{ traceId, spanId: opening?.spanId }]);
    }
    await client.dispose();
  });

  it('of a job that runs later: its own trace, which links to the request that enqueued it', async () => {
    const { orderNo } = await placeOrder(server, await logInCustomer(server));
    await goToTheBank(server, orderNo);

    const done = await until('the job', async () =>
      collector.spans.find(({ name }) => name === 'process ticketing.requery-payment'),
    );
    const enqueued = await until('the span that enqueued it', async () =>
      collector.spans.find(({ spanId }) => spanId === done.links[0]?.spanId),
    );
    expect(pathOf(enqueued, collector.spans).at(0)).toBe('POST /payment/process');
    expect(enqueued).toMatchObject({ name: 'send ticketing.requery-payment', kind: 'producer' });
    expect([done.parentSpanId, done.traceId === enqueued.traceId]).toEqual(['', false]);
  });
});
