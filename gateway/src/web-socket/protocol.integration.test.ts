import { connect } from 'node:net';

import type { Client } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { droppedEvents } from '@foyer/shared/graphql/metrics';
import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

let server: ExampleServer;
beforeEach(async () => {
  server = await startExampleServer({
    GRAPHQL_WS_MAX_OPERATIONS: '3',
    GRAPHQL_WS_QUEUE: '2',
    ALLOWED_ORIGINS: 'https://shop.example',
  });
});
afterEach(() => server.stop());

const client = (options?: Parameters<typeof aClient>[1]) => aClient(server.wsUrl, options);
const dropped = async () => (await droppedEvents.get()).values[0]?.value ?? 0;
const untilLive = (count: number) => expect.poll(() => server.seen.live).toBe(count);

describe('a document over WebSocket', () => {
  it.each([
    [
      'a conditional root field',
      'subscription ($on: Boolean!) { everyOrder @skip(if: $on) { no } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a root field that is switched off', 'subscription { everyOrder @skip(if: true) { no } }', 'BAD_USER_INPUT'],
    ['two root fields', 'subscription { a: everyOrder { no } b: everyOrder { no } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown field', 'subscription { unknown }', 'GRAPHQL_VALIDATION_FAILED'],
    ['half a document', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    [
      '31 aliases',
      `{ me { ${Array.from({ length: 31 }, (_, at) => `a${at}: name`).join(' ')} } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a missing variable', 'subscription ($no: ID!) { orderPaid(no: $no) { no } }', 'BAD_USER_INPUT'],
  ])('with %s is refused, without an effect on the rest of the connection', async (_what, query, code) => {
    const one = client();
    const staying = watch(one, 'subscription { everyOrder { no } }');
    await untilLive(1);

    const { results, ended } = watch(one, query);

    const errors = await ended.then((end) => (end === 'complete' ? results[0]?.errors : end));
    expect(errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code, requestId: expect.any(String) }) }),
    ]);
    server.publish('A1');
    await expect.poll(() => staying.results).toHaveLength(1);
  });

  it('may be a query or a mutation too', async () => {
    const { results, ended } = watch(client(), '{ order(no: 3) { buyer { name } } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([{ data: { order: { buyer: { name: 'Aminah' } } } }]);
  });

  it('is refused beyond the limit of a connection', async () => {
    const one = client();
    for (let at = 0; at < 3; at += 1) watch(one, 'subscription { everyOrder { no } }');
    await untilLive(3);

    const { ended } = watch(one, 'subscription { everyOrder { no } }');

    expect(await ended).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ reason: 'TOO_MANY_OPERATIONS' }) }),
    ]);
  });
});

describe('an operation that its client has completed', () => {
  const follow = (id: string, query: string) => ({ id, type: 'subscribe', payload: { query } });
  const completed = (id: string) => ({ id, type: 'complete' });
  async function greeted() {
    const client = await aSocket(server.wsUrl);
    client.send({ type: 'connection_init' });
    await expect.poll(() => client.messages).toHaveLength(1);
    client.messages.length = 0;
    return client;
  }

  it.each([
    ['a stream', 'subscription { everyOrder { no } }'],
    ['a query that is still running', '{ user(id: 1) { late } }'],
  ])('has no part in the next one of its id: %s', async (_what, query) => {
    const { send, messages } = await greeted();
    send(follow('1', query));
    if (query.startsWith('s')) await untilLive(1);
    send(completed('1'));
    send(follow('1', 'subscription { paid: everyOrder { no } }'));
    send(follow('2', '{ user(id: 1) { late } }'));
    await expect.poll(() => messages.at(-1)).toEqual({ id: '2', type: 'complete' }); // it was asked last
    await untilLive(1);

    server.publish('A1');

    const event = { id: '1', type: 'next', payload: { data: { paid: { no: 'A1' } } } };
    await expect.poll(() => messages.filter(({ id }) => id === '1')).toEqual([event]);
    send(completed('1'));
    await untilLive(0);
  });

  it('counts as long as it runs', async () => {
    const { send, messages } = await greeted();
    for (const id of ['1', '2', '3']) {
      send(follow(id, '{ slow }'));
      send(completed(id));
    }

    send(follow('4', '{ order(no: 3) { no } }'));

    const [error] = await vi.waitUntil(() => messages.find(({ type }) => type === 'error')?.['payload'] as object[]);
    expect(error).toMatchObject({ extensions: { reason: 'TOO_MANY_OPERATIONS' } });
  });
});

describe('a client over WebSocket', () => {
  const me = '{ me { name } }';
  const answer = async (one: Client) => {
    const { results, ended } = watch(one, me);
    const end = await ended;
    return end === 'complete' ? (results[0]?.errors?.[0]?.extensions?.['code'] ?? results[0]?.data) : end;
  };

  it('authenticates by connectionParams, by header or by cookie', async () => {
    const viewer = { me: { name: 'Aminah' } };

    expect(await answer(client({ connectionParams: { authorization: 'Bearer customer' } }))).toEqual(viewer);
    expect(await answer(client({ headers: { authorization: 'Bearer customer' } }))).toEqual(viewer);
    expect(await answer(client({ headers: { cookie: 'token=customer' } }))).toEqual(viewer);
    expect(await answer(client({ headers: { cookie: 'token=customer', origin: 'https://shop.example' } }))).toEqual(
      viewer,
    );
    expect(await answer(client())).toBe('UNAUTHENTICATED');
  });

  it('whose token is invalid is closed with 4403', async () => {
    expect(await answer(client({ connectionParams: { authorization: 'Bearer stale' } }))).toMatchObject({ code: 4403 });
  });

  it.each([
    ['with the session cookie of its visitor', { cookie: 'token=customer', origin: 'https://evil.example' }],
    ['with a token of its own', { authorization: 'Bearer customer', origin: 'https://evil.example' }],
    ['and hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ])('on a foreign page gets no socket, when it comes %s', async (_how, headers) => {
    expect(await answer(client({ headers }))).toMatchObject({
      message: expect.stringContaining('403'),
    });
  });

  it('is closed with 4403 when its token expires, even if nothing happens', async () => {
    server.expireIn(2); // not before the stream is open
    const { ended } = watch(
      client({ connectionParams: { authorization: 'Bearer customer' } }),
      'subscription { everyOrder { no } }',
    );
    await untilLive(1);

    expect(await ended).toMatchObject({ code: 4403, reason: 'Token expired' });
    await untilLive(0);
  });

  it.each([
    ['no JSON', 'hello', 4400],
    ['a subscription before its greeting', { type: 'subscribe', id: '1', payload: { query: me } }, 4401],
  ])('that sends %s is closed', async (_what, message, code) => {
    const { send, closed } = await aSocket(server.wsUrl);

    send(message);

    expect((await closed)[0]).toBe(code);
  });

  it('that greets twice, names no protocol or sends too much is closed', async () => {
    const twice = await aSocket(server.wsUrl);
    twice.send({ type: 'connection_init' });
    twice.send({ type: 'connection_init' });
    const other = await aSocket(server.wsUrl, []);
    const much = await aSocket(server.wsUrl);
    much.send('x'.repeat(600_000));

    expect((await twice.closed)[0]).toBe(4429);
    expect((await other.closed)[0]).toBe(4406);
    expect((await much.closed)[0]).toBe(1009);
  });

  it('that reads slowly gets the newest events, and uses no more memory than its queue', async () => {
    const { send, messages, socket } = await aSocket(server.wsUrl);
    send({ type: 'connection_init' });
    await expect.poll(() => messages).toHaveLength(1);
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { everyOrder { no } }' } });
    await untilLive(1);

    socket.pause();
    const long = 'x'.repeat(400_000);
    const before = await dropped();
    let published = 0;
    while ((await dropped()) === before) {
      server.publish(`${(published += 1)} ${long}`); // until the network is full of what the client does not read
      await new Promise(setImmediate);
    }
    server.publish('the newest');
    socket.resume();

    await vi.waitFor(() => expect(JSON.stringify(messages.at(-1))).toContain('the newest'), 20_000);
    expect(messages.length).toBeLessThan(published + 2);
    socket.close();
  });

  it('finds nothing at other paths', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');

    const [head] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n');

    expect(head).toBe('HTTP/1.1 404 Not Found');
  });
});
