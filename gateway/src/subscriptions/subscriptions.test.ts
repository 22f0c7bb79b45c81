import { connect } from 'node:net';

import { createClient, type Client, type ClientOptions, type ExecutionResult } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

import { openTinyHouse, type TinyHouse } from '../testing/tiny-house.ts';

let house: TinyHouse;
let clients: Client[];
beforeEach(async () => {
  clients = [];
  house = await openTinyHouse({ GRAPHQL_WS_MAX_OPERATIONS: '3', GRAPHQL_WS_QUEUE: '2', ALLOWED_ORIGINS: 'https://shop.example' });
});
afterEach(async () => {
  for (const client of clients) await client.dispose();
  await house.stop();
});

function aClient(options: Partial<ClientOptions> & { headers?: Record<string, string> } = {}): Client {
  class Socket extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: options.headers ?? {} });
    }
  }
  const client = createClient({ url: house.wsUrl, webSocketImpl: Socket, retryAttempts: 0, ...options });
  clients.push(client);
  return client;
}

/** Collects what a subscription brings. */
function watch(client: Client, query: string, variables?: Record<string, unknown>) {
  const results: ExecutionResult[] = [];
  const ended = Promise.withResolvers<unknown>();
  const leave = client.subscribe(
    { query, ...(variables && { variables }) },
    { next: (result) => void results.push(result), error: ended.resolve, complete: () => ended.resolve('complete') },
  );
  return { results, ended: ended.promise, leave };
}

const untilLive = (count: number) => vi.waitFor(() => expect(house.seen.live).toBe(count));

/** A bare socket, for what a proper client would never do. */
async function aSocket(headers: Record<string, string> = {}, protocol = 'graphql-transport-ws') {
  const socket = new WebSocket(house.wsUrl, protocol, { headers });
  const closed = Promise.withResolvers<[number, string]>();
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('close', (code, reason) => closed.resolve([code, String(reason)]));
  await new Promise((resolve) => socket.once('open', resolve));
  return { send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)), messages, closed: closed.promise, socket };
}

describe('a subscription', () => {
  it('brings events whose fields another subgraph knows, under aliases and with variables', async () => {
    const { results } = watch(
      aClient(),
      'subscription ($no: ID!) { paid: orderPaid(no: $no) { number: no lines { n: count } who: buyer { called: name badge } } }',
      { no: 'A1' },
    );
    await untilLive(1);

    house.publish('B2');
    house.publish('A1');

    await vi.waitFor(() =>
      expect(results).toEqual([
        { data: { paid: { number: 'A1', lines: [{ n: 2 }], who: { called: 'Aminah', badge: 'Aminah *' } } } },
      ]),
    );
  });

  it('brings an event that is null', async () => {
    const { results } = watch(aClient(), 'subscription { everyOrder { no buyer { name } } }');
    await untilLive(1);

    house.publish('none');

    await vi.waitFor(() => expect(results).toEqual([{ data: { everyOrder: null } }]));
  });

  it('makes new contexts for each event, so that nothing is answered from yesterday', async () => {
    const { results } = watch(aClient(), 'subscription { everyOrder { buyer { name } } }');
    await untilLive(1);

    house.publish('A1');
    await vi.waitFor(() => expect(results).toHaveLength(1));
    house.publish('A2');
    await vi.waitFor(() => expect(results).toHaveLength(2));

    expect(house.seen.batches).toEqual([['1'], ['1']]);
  });

  it('tells of errors in the event and in the rest, each with its path, and masks the bugs', async () => {
    const { results } = watch(aClient(), 'subscription { everyOrder { no refusing buyer { name failing refused } } }');
    await untilLive(1);

    house.publish('A1');

    await vi.waitFor(() => expect(results).toHaveLength(1));
    const requestId = expect.any(String);
    expect(results[0]?.data).toEqual({ everyOrder: { no: 'A1', refusing: null, buyer: { name: 'Aminah', failing: null, refused: null } } });
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

  it('that the subgraph refuses says why', async () => {
    const { results, ended } = watch(aClient(), 'subscription { closedShop { no } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([{ errors: [expect.objectContaining({ extensions: expect.objectContaining({ reason: 'SHOP_CLOSED' }) })] }]);
  });

  it('that breaks off in the subgraph ends with a masked error', async () => {
    const { results, ended } = watch(aClient(), 'subscription { brokenShop { no } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([
      { data: { brokenShop: { no: 'A1' } } },
      { errors: [expect.objectContaining({ message: 'Something went wrong on our side.' })] },
    ]);
  });

  it.each(['subscription { orderPaid(no: "A1") { no } }', 'subscription { everyOrder { no } }'])(
    'lets go of the shop when the client leaves it, though no event comes: %s',
    async (query) => {
      const client = aClient();
      const staying = watch(client, 'subscription { everyOrder { no } }');
      const { leave } = watch(client, query);
      await untilLive(2);

      leave();
      await untilLive(1);

      house.publish('A1');
      await vi.waitFor(() => expect(staying.results).toHaveLength(1));
    },
  );

  it('lets go of the shop when the connection breaks', async () => {
    const { socket, send, messages } = await aSocket();
    send({ type: 'connection_init' });
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { orderPaid(no: 1) { no } }' } });
    await untilLive(1);

    socket.terminate();

    await untilLive(0);
  });

  it('ends with a word about it when the schema is another one, and can be asked for again', async () => {
    const client = aClient();
    const { results, ended } = watch(client, 'subscription { everyOrder { no } }');
    await untilLive(1);

    house.gateway.reload(house.otherSupergraph());

    expect(await ended).toBe('complete');
    expect(results).toEqual([
      { errors: [expect.objectContaining({ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD', requestId: expect.any(String) } })] },
    ]);
    await untilLive(0);
    watch(client, 'subscription { everyOrder { no } }');
    await untilLive(1);
    expect((await house.post('{ order(no: 1) { buyer { name } } }')).body.data).toEqual({ order: { buyer: { name: 'Aminah' } } });
  });

  it('ends with 1001 when the house closes', async () => {
    const closed = Promise.withResolvers<unknown>();
    watch(aClient({ on: { closed: closed.resolve } }), 'subscription { everyOrder { no } }');
    await untilLive(1);

    await house.gateway.stop();

    expect(await closed.promise).toMatchObject({ code: 1001 });
    expect(house.seen.live).toBe(0);
  });
});

describe('a document over WebSocket', () => {
  it.each([
    ['a conditional root field', 'subscription ($on: Boolean!) { everyOrder @skip(if: $on) { no } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a root field that is switched off', 'subscription { everyOrder @skip(if: true) { no } }', 'BAD_USER_INPUT'],
    ['two root fields', 'subscription { a: everyOrder { no } b: everyOrder { no } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown field', 'subscription { unknown }', 'GRAPHQL_VALIDATION_FAILED'],
    ['half a document', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['31 aliases', `{ ${Array.from({ length: 31 }, (_, at) => `a${at}: me { id }`).join(' ')} }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing variable', 'subscription ($no: ID!) { orderPaid(no: $no) { no } }', 'BAD_USER_INPUT'],
  ])('with %s is refused, and nothing else on the connection is disturbed', async (_what, query, code) => {
    const client = aClient();
    const staying = watch(client, 'subscription { everyOrder { no } }');
    await untilLive(1);

    const { results, ended } = watch(client, query);

    const errors = await ended.then((end) => (end === 'complete' ? results[0]?.errors : end));
    expect(errors).toEqual([expect.objectContaining({ extensions: expect.objectContaining({ code, requestId: expect.any(String) }) })]);
    house.publish('A1');
    await vi.waitFor(() => expect(staying.results).toHaveLength(1));
  });

  it('may be a query or a mutation too', async () => {
    const { results, ended } = watch(aClient(), '{ order(no: 3) { buyer { name } } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([{ data: { order: { buyer: { name: 'Aminah' } } } }]);
  });

  it('is one too many beyond the limit of a connection', async () => {
    const client = aClient();
    for (let at = 0; at < 3; at += 1) watch(client, 'subscription { everyOrder { no } }');
    await untilLive(3);

    const { ended } = watch(client, 'subscription { everyOrder { no } }');

    expect(await ended).toEqual([expect.objectContaining({ extensions: expect.objectContaining({ reason: 'TOO_MANY_OPERATIONS' }) })]);
  });
});

describe('a client over WebSocket', () => {
  const me = '{ me { name } }';
  const answer = async (client: Client) => {
    const { results, ended } = watch(client, me);
    const end = await ended;
    return end === 'complete' ? (results[0]?.data ?? results[0]?.errors?.[0]?.extensions?.['code']) : end;
  };

  it('signs in by connectionParams, by header or by cookie', async () => {
    const signedIn = { me: { name: 'Aminah' } };

    expect(await answer(aClient({ connectionParams: { authorization: 'Bearer customer' } }))).toEqual(signedIn);
    expect(await answer(aClient({ headers: { authorization: 'Bearer customer' } }))).toEqual(signedIn);
    expect(await answer(aClient({ headers: { cookie: 'token=customer' } }))).toEqual(signedIn);
    expect(await answer(aClient({ headers: { cookie: 'token=customer', origin: 'https://shop.example' } }))).toEqual(signedIn);
    expect(await answer(aClient())).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['whose token is not valid', { connectionParams: { authorization: 'Bearer stale' } }],
    ['whose session cookie a foreign page sends', { headers: { cookie: 'token=customer', origin: 'https://evil.example' } }],
  ])('%s is sent away with 4403', async (_who, options) => {
    expect(await answer(aClient(options))).toMatchObject({ code: 4403 });
  });

  it('is sent away with 4403 when its token expires, even if nothing happens', async () => {
    house.expireIn(0.4);
    const { ended } = watch(aClient({ connectionParams: { authorization: 'Bearer customer' } }), 'subscription { everyOrder { no } }');
    await untilLive(1);

    expect(await ended).toMatchObject({ code: 4403, reason: 'Token expired' });
    await untilLive(0);
  });

  it.each([
    ['no JSON', 'hello', 4400],
    ['a subscription before its greeting', { type: 'subscribe', id: '1', payload: { query: me } }, 4401],
  ])('that sends %s is sent away', async (_what, message, code) => {
    const { send, closed } = await aSocket();

    send(message);

    expect((await closed)[0]).toBe(code);
  });

  it('that greets twice, speaks another protocol or sends too much is sent away', async () => {
    const twice = await aSocket();
    twice.send({ type: 'connection_init' });
    twice.send({ type: 'connection_init' });
    const other = await aSocket({}, 'graphql-ws').catch(() => undefined);
    const much = await aSocket();
    much.send('x'.repeat(600_000));

    expect((await twice.closed)[0]).toBe(4429);
    expect((await other?.closed)?.[0] ?? 4406).toBe(4406);
    expect((await much.closed)[0]).toBe(1009);
  });

  it('that reads slowly gets the newest events, and costs no more than its queue', async () => {
    const { send, messages, socket } = await aSocket();
    send({ type: 'connection_init' });
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { everyOrder { no } }' } });
    await untilLive(1);

    for (let no = 1; no <= 100; no += 1) house.publish(String(no)); // all in one go: nobody could have read any

    await vi.waitFor(() => expect(JSON.stringify(messages.at(-1))).toContain('"100"'));
    expect(messages.length).toBeLessThan(20);
    socket.close();
  });

  it('finds nothing at other paths', async () => {
    const { port } = new URL(house.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');

    const [head] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n');

    expect(head).toBe('HTTP/1.1 404 Not Found');
  });
});
