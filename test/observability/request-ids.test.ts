import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { graphql, send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { acmeAdmin, aGuest, onSale, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

/** The log lines of one request, once one of them has this message. */
const linesAbout = (requestId: string, msg: string) =>
  until(`"${msg}" about ${requestId}`, async () => {
    const lines = (await server.printed())
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(requestId))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines.some((line) => line['msg'] === msg) && lines;
  });
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? '';

describe('a request id', () => {
  it('is in the log lines of a use case, however deep', async () => {
    const answered = await send(server, 'GET', '/payment/return?payload=nonsense');

    const lines = await linesAbout(idOf(answered), 'payment return refused');
    expect(lines.map(({ requestId }) => requestId)).toEqual(lines.map(() => idOf(answered)));
  });

  it('is in an error over REST and in one over GraphQL, and equals that of the answer', async () => {
    const rest = await send(server, 'POST', '/api/orderTicketGroup', { body: {} });
    const graph = await send(server, 'POST', '/graphql', { body: { query: '{ me { __typename } }' } });
    const lost = await send(server, 'GET', '/no/such/route');

    expect(rest.json.requestId).toBe(idOf(rest));
    expect(graph.json.errors[0].extensions.requestId).toBe(idOf(graph));
    expect(lost.json.requestId).toBe(idOf(lost));
    expect(new Set([idOf(rest), idOf(graph), idOf(lost), '']).size).toBe(4);
  });

  it('is in every line of the job that the request enqueued, with the id of the job', async () => {
    const free = await onSale(server, await acmeAdmin(server), { variant: { unitPriceSen: 0 } });
    const input = orderInput(free, await aGuest(server));
    const placed = await send(server, 'POST', '/api/orderTicketGroup/free', {
      body: { ...input, ticketGroupId: Number(input.ticketGroupId) },
    });

    const lines = await linesAbout(idOf(placed), 'job done');
    expect(lines.filter(({ job }) => job)).toEqual([
      expect.objectContaining({
        job: 'ticketing.send-confirmation',
        jobId: expect.any(String),
        requestId: idOf(placed),
        attempt: 1,
      }),
    ]);
    expect(lines.map(({ msg }) => msg)).toContain('request');
  });

  it('is in errors over WebSocket, and in the log lines of that operation', async () => {
    const client = createClient({ url: `${server.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
    const { value } = await client.iterate({ query: 'query Nobody { me { __typename } }' }).next();
    await client.dispose();

    const [error] = (value as { errors: { extensions: { requestId: string } }[] }).errors;
    const lines = await linesAbout(error?.extensions.requestId ?? '?', 'slow operation');
    expect(lines).toContainEqual(expect.objectContaining({ operation: 'Nobody', viewer: 'nobody' }));
  });

  it('of an operation is found in its slow-operation line', async () => {
    const query = 'query Slowly { ticketGroups(first: 3) { edges { node { slug organization { name } } } } }';
    const answered = await send(server, 'POST', '/graphql', { body: { query } });

    const lines = await linesAbout(idOf(answered), 'slow operation');
    expect(lines.find(({ msg }) => msg === 'slow operation')).toMatchObject({
      operation: 'Slowly',
      fetches: [{ subgraph: 'ticketing' }, { subgraph: 'identity' }],
    });
  });

  it('differs for each request', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => idOf(await send(server, 'GET', '/health/live'))));
    expect(new Set(ids).size).toBe(3);
    expect((await graphql(server, '{ __typename }')).status).toBe(200);
  });
});
