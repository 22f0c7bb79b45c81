import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

let server: ExampleServer;
afterEach(() => server.stop());

const client = (options?: Parameters<typeof aClient>[1]) => aClient(server.wsUrl, options);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const untilLive = (count: number) => expect.poll(() => server.seen.live).toBe(count);

describe.each(['foyer', 'apollo'])('a subscription, by the executor of %s,', (executor) => {
  beforeEach(async () => {
    server = await startExampleServer({ GRAPHQL_WS_QUEUE: '2', GATEWAY_EXECUTOR: executor });
  });

  it('brings events with fields of another subgraph, under aliases and with variables', async () => {
    const { results } = watch(
      client(),
      'subscription ($no: ID!) { paid: orderPaid(no: $no) { number: no lines { n: count } who: buyer { called: name badge } } }',
      { no: 'A1' },
    );
    await untilLive(1);

    server.publish('B2');
    server.publish('A1');

    await expect
      .poll(() => results)
      .toEqual([{ data: { paid: { number: 'A1', lines: [{ n: 2 }], who: { called: 'Aminah', badge: 'Aminah *' } } } }]);
  });

  it('brings fields that the client names after a key, in its events and its errors', async () => {
    const { results } = watch(
      client(),
      'subscription { no: everyOrder { no: lines { no: what } buyer { id: name badge } } }',
    );
    const refused = watch(client(), 'subscription { no: closedShop { no } }');
    await untilLive(1);

    server.publish('A1');

    const order = { no: [{ no: 'seat' }], buyer: { id: 'Aminah', badge: 'Aminah *' } };
    await expect.poll(() => results).toEqual([{ data: { no: order } }]);
    expect(await refused.ended).toBe('complete');
    expect(refused.results).toEqual([{ errors: [expect.objectContaining({ path: ['no'] })] }]);
  });

  it('brings an event that is null', async () => {
    const { results } = watch(client(), 'subscription { everyOrder { no buyer { name } } }');
    await untilLive(1);

    server.publish('none');

    await expect.poll(() => results).toEqual([{ data: { everyOrder: null } }]);
  });

  it('makes new contexts for each event, so that no answer is stale', async () => {
    const { results } = watch(client(), 'subscription { everyOrder { buyer { name } } }');
    await untilLive(1);

    server.publish('A1');
    await expect.poll(() => results).toHaveLength(1);
    server.publish('A2');
    await expect.poll(() => results).toHaveLength(2);

    expect(server.seen.batches).toEqual([['1'], ['1']]);
  });

  it('reports errors in the event and in the rest, each with its path, and masks the bugs', async () => {
    const { results } = watch(client(), 'subscription { everyOrder { no refusing buyer { name failing refused } } }');
    await untilLive(1);

    server.publish('A1');

    await expect.poll(() => results).toHaveLength(1);
    const requestId = expect.any(String);
    expect(results[0]?.data).toEqual({
      everyOrder: { no: 'A1', refusing: null, buyer: { name: 'Aminah', failing: null, refused: null } },
    });
    expect(results[0]?.errors).toEqual([
      {
        message: 'There is no such thing.',
        path: ['everyOrder', 'refusing'],
        extensions: { code: 'NOT_FOUND', reason: 'NO_SUCH_THING', requestId },
      },
      {
        message: 'Something went wrong on our side.',
        path: ['everyOrder', 'buyer', 'failing'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
      },
      {
        message: 'That is not yours.',
        path: ['everyOrder', 'buyer', 'refused'],
        extensions: { code: 'FORBIDDEN', reason: 'NOT_YOURS', hint: 'ask', requestId },
      },
    ]);
  });

  it('that the subgraph refuses ends with its refusal', async () => {
    const { results, ended } = watch(client(), 'subscription { closedShop { no } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([
      { errors: [expect.objectContaining({ extensions: expect.objectContaining({ reason: 'SHOP_CLOSED' }) })] },
    ]);
  });

  it('that breaks off in the subgraph ends with a masked error', async () => {
    const { results, ended } = watch(client(), 'subscription { brokenShop { no } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([
      { data: { brokenShop: { no: 'A1' } } },
      { errors: [expect.objectContaining({ message: 'Something went wrong on our side.' })] },
    ]);
  });

  it.each(['subscription { orderPaid(no: "A1") { no } }', 'subscription { everyOrder { no } }'])(
    'releases the shop when the client leaves, though no event comes: %s',
    async (query) => {
      const one = client();
      const staying = watch(one, 'subscription { everyOrder { no } }');
      const { leave } = watch(one, query);
      await untilLive(2);

      leave();
      await untilLive(1);

      server.publish('A1');
      await expect.poll(() => staying.results).toHaveLength(1);
    },
  );

  it('releases the shop when the connection breaks', async () => {
    const { socket, send, messages } = await aSocket(server.wsUrl);
    send({ type: 'connection_init' });
    await expect.poll(() => messages).toHaveLength(1);
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { orderPaid(no: 1) { no } }' } });
    await untilLive(1);

    socket.terminate();

    await untilLive(0);
  });

  it.each(['', '*'])('leaves nothing behind when it is over, where those are shared: "%s"', async (shared) => {
    await server.stop();
    server = await startExampleServer({ GRAPHQL_SHARED_SUBSCRIPTIONS: shared });
    const one = client();
    const { leave } = watch(one, 'subscription { everyOrder { no } }');
    const { results, ended } = watch(one, 'subscription { brokenShop { no } }');
    await untilLive(1);
    leave();
    await untilLive(0);
    await ended;
    expect(results).toHaveLength(2);

    await vi.waitFor(() => {
      server.seen.scopes.length = 0; // the test's own records hold them, too
      collectGarbage();
      expect(server.seen.opened.map((stream) => stream.deref() === undefined)).toEqual([true]);
    }, 5_000);
  });

  it.each<[string, string, (stream: ReturnType<typeof watch>) => Promise<unknown>]>([
    ['is over', 'brokenShop', ({ ended }) => ended],
    ['is refused', 'closedShop', ({ ended }) => ended],
    [
      'is left',
      'everyOrder',
      async ({ results, leave }) => {
        await untilLive(2);
        server.publish('A1');
        await expect.poll(() => results).toHaveLength(1);
        leave();
        await untilLive(1);
      },
    ],
  ])('that %s leaves no signal behind on a connection that goes on', async (_how, field, end) => {
    const one = client();
    watch(one, 'subscription { orderPaid(no: "none") { no } }');
    await untilLive(1);
    server.seen.scopes.length = 0;
    await end(watch(one, `subscription { ${field} { no } }`));
    const signals = server.seen.scopes.splice(0).map(({ signal }) => new WeakRef(signal));
    expect(signals.length).toBeGreaterThan(0);

    await vi.waitFor(() => {
      collectGarbage();
      expect(signals.filter((signal) => signal.deref())).toHaveLength(0);
    }, 5_000);
  });

  it('ends with an error when the schema has changed, and can be opened again', async () => {
    const one = client();
    const { results, ended } = watch(one, 'subscription { everyOrder { no } }');
    await untilLive(1);

    server.gateway.reload(server.otherSupergraph());

    expect(await ended).toBe('complete');
    expect(results).toEqual([
      {
        errors: [
          expect.objectContaining({
            extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD', requestId: expect.any(String) },
          }),
        ],
      },
    ]);
    await untilLive(0);
    watch(one, 'subscription { everyOrder { no } }');
    await untilLive(1);
    expect((await server.post('{ order(no: 1) { buyer { name } } }')).body.data).toEqual({
      order: { buyer: { name: 'Aminah' } },
    });
  });

  it('ends with 1001 when the server closes', async () => {
    const closed = Promise.withResolvers<unknown>();
    watch(client({ on: { closed: closed.resolve } }), 'subscription { everyOrder { no } }');
    await untilLive(1);

    await server.gateway.stop();

    expect(await closed.promise).toMatchObject({ code: 1001 });
    expect(server.seen.live).toBe(0);
  });
});
