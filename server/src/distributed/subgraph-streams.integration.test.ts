import { once } from 'node:events';

import { SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import Fastify from 'fastify';
import { createClient, type FormattedExecutionResult } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { signContext, serve, subgraphBehindGateway } from './testing/subgraph-behind-gateway.ts';

const { listeners, logged, urls } = subgraphBehindGateway();

describe('an event stream behind the gateway', () => {
  it('is resolved for its viewer, and closed when its client leaves', async () => {
    const client = createClient({
      url: urls.gateway.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const events = client.iterate({ query: 'subscription { newcomers }' });
    const first = events.next();
    await expect.poll(() => listeners.size).toBe(1);

    for (const tell of listeners) tell('Aminah');

    expect((await first).value).toEqual({ data: { newcomers: 'Aminah seen by C-1 from 127.0.0.1' } });
    await events.return?.();
    await expect.poll(() => listeners.size).toBe(0);
    await client.dispose();
  });

  type Result = FormattedExecutionResult<Record<string, unknown>, unknown>;

  /** The messages of a stream, to its end. */
  async function follow(at: string, query: string, params: Record<string, unknown>): Promise<Result[]> {
    const client = createClient({
      url: at.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: params,
    });
    const heard: Result[] = [];
    for await (const result of client.iterate({ query, extensions: params })) heard.push(result);
    await client.dispose();
    return heard;
  }
  const codesOf = (results: Result[]) =>
    results.map(({ errors }) => errors?.map(({ extensions }) => extensions?.['reason'] ?? extensions?.['code']));

  it.each([
    ['is refused', 'subscription { refusedLater }', 'SOLD_OUT'],
    ['breaks', 'subscription { brokenLater }', 'INTERNAL_SERVER_ERROR'],
  ])('that %s midway ends with an error, which masks a bug', async (_how, query, code) => {
    const toGateway = await follow(urls.subgraph, query, { [SIGNED_CONTEXT]: await signContext() });
    const toClient = await follow(urls.gateway, query, {});

    expect(codesOf(toGateway)).toEqual([undefined, [code]]);
    expect(codesOf(toClient)).toEqual([undefined, [code]]);
    expect(JSON.stringify([toGateway, toClient])).not.toContain('password');
  });

  it('that breaks midway is logged by the subgraph', async () => {
    logged.length = 0;

    await follow(urls.gateway, 'subscription { brokenLater }', {});

    expect(logged).toMatchObject([
      { msg: 'a subgraph failed', subgraph: 'identity', err: { message: 'the password of the database' } },
    ]);
    expect(logged[0]?.['requestId']).toBeTruthy();
  });

  it('does not keep a subgraph from stopping, though its gateway does not read it', async () => {
    const stopping = Fastify();
    const socket = new WebSocket((await serve(stopping)).replace('http', 'ws'), 'graphql-transport-ws');
    await once(socket, 'open');
    socket.pause();
    await expect(stopping.close()).resolves.toBeUndefined();

    socket.terminate();
  }, 20_000); // a closing handshake is given up after 30 s
});
