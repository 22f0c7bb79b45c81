import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

let server: ExampleServer;
const settings = {
  GRAPHQL_WS_INIT_MS: '150',
  GRAPHQL_RECHECK_MS: '50',
  GRAPHQL_WS_MAX_PER_ADDRESS: '4',
  GRAPHQL_MAX_STREAMS_PER_VIEWER: '2',
  FORWARD_HEADERS: 'x-tenant',
};
beforeEach(async () => {
  server = await startExampleServer(settings);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const greeting = { type: 'connection_init' };
const follow = { type: 'subscribe', id: '1', payload: { query: 'subscription { everyOrder { no } }' } };
const connectionInit = { type: 'connection_init', payload: { authorization: 'Bearer customer' } };

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const isGreeting = (message: unknown) => (message as { type?: string }).type === 'connection_init';

/** Sends messages one after the other, and returns how the connection ends. */
async function after(messages: unknown[], protocols?: string[]): Promise<[number, string]> {
  const { send, closed, messages: heard } = await aSocket(server.wsUrl, protocols);
  for (const message of messages) {
    send(message);
    if (isGreeting(message)) await Promise.race([closed, vi.waitUntil(() => heard.length > 0)]);
  }
  return closed;
}

describe('the close codes of graphql-transport-ws', () => {
  it.each<[number, string, string, unknown[], string[]?]>([
    [4400, 'Invalid message received', 'what is no JSON', ['hello']],
    [4400, 'Invalid message received', 'a message of no type', [{ id: '1' }]],
    [4400, 'Invalid message received', 'a greeting that is no object', [{ type: 'connection_init', payload: 'x' }]],
    [
      4400,
      'Invalid message received',
      'a greeting longer than the head of a request',
      [{ ...greeting, payload: { 'x-tenant': 'x'.repeat(20_000) } }, follow, follow],
    ],
    [
      4400,
      'Invalid message received',
      'a greeting of lists within lists',
      [`{"type":"connection_init","payload":{"a":${nested}}}`],
    ],
    [4400, 'Invalid message received', 'a ping of lists within lists', [`{"type":"ping","payload":{"a":${nested}}}`]],
    [4400, 'Invalid message received', 'a result', [greeting, { type: 'next', id: '1', payload: { data: null } }]],
    [4400, 'Invalid message received', 'an error', [greeting, { type: 'error', id: '1', payload: [{ message: 'x' }] }]],
    [4400, 'Invalid message received', 'an acknowledgement', [greeting, { type: 'connection_ack' }]],
    [4400, 'Invalid message received', 'a subscription without an id', [greeting, { ...follow, id: '' }]],
    [4401, 'Unauthorized', 'a subscription before the greeting', [follow]],
    [4403, 'Forbidden', 'a token that is not valid', [{ ...greeting, payload: { authorization: 'Bearer stale' } }]],
    [4406, 'Subprotocol not acceptable', 'no protocol', [], []],
    [4408, 'Connection initialisation timeout', 'no greeting in time', []],
    [4409, 'Subscriber for 1 already exists', 'an id that is taken', [greeting, follow, follow]],
    [
      4409,
      'Subscriber for',
      'a long id that is taken',
      [greeting, { ...follow, id: 'ü'.repeat(500) }, { ...follow, id: 'ü'.repeat(500) }],
    ],
    [4429, 'Too many initialisation requests', 'a second greeting', [greeting, greeting]],
  ])('%i (%s) for %s', async (code, reason, _what, messages, protocols) => {
    const printed = vi.spyOn(console, 'error');
    const [closedWith, said] = await after(messages, protocols);

    expect(closedWith).toBe(code);
    expect(said).toContain(code === 4400 ? 'nvalid' : reason);
    expect(printed).not.toHaveBeenCalled();
    expect(server.seen.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  it('4403 when the token expires, though nothing happens', async () => {
    server.expireIn(0.3);

    expect(await after([connectionInit, follow])).toEqual([4403, 'Token expired']);
    await expect.poll(() => server.seen.live).toBe(0);
  });

  it('4403 when the token is revoked, though nothing happens', async () => {
    const closed = after([connectionInit, follow]);
    await expect.poll(() => server.seen.live).toBe(1);

    server.revoke();

    expect(await closed).toEqual([4403, 'Token revoked']);
    await expect.poll(() => server.seen.live).toBe(0);
  });
});

describe('the connections and streams of one client', () => {
  it('are limited to so many connections from an address', async () => {
    await server.stop();
    server = await startExampleServer({ ...settings, GRAPHQL_WS_INIT_MS: '60000' }); // none ends by itself
    const sockets = await Promise.all(Array.from({ length: 4 }, () => aSocket(server.wsUrl)));

    await expect(aSocket(server.wsUrl)).rejects.toThrow('429');

    sockets[0]?.socket.close();
    await vi.waitFor(async () => (await aSocket(server.wsUrl)).socket.close());
  });

  it('are limited to so many streams for a viewer, over all of its connections', async () => {
    const query = 'subscription { everyOrder { no } }';
    const clients = [1, 2].map(() => aClient(server.wsUrl, { connectionParams: { authorization: 'Bearer customer' } }));
    const running = clients.map((client) => watch(client, query));
    await expect.poll(() => server.seen.live).toBe(2);

    const { results, ended } = watch(clients[0] ?? aClient(server.wsUrl), query);

    await ended;
    expect(results[0]?.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS' });
    running[0]?.leave();
    await expect.poll(() => server.seen.live).toBe(1);
    watch(clients[0] ?? aClient(server.wsUrl), query);
    await expect.poll(() => server.seen.live).toBe(2);
  });

  it.each([
    ['a viewer', { authorization: 'Bearer customer' }],
    ['an address', {}],
  ])('are limited alike for %s that makes up forwarded headers', async (_who, credential) => {
    const query = 'subscription { everyOrder { no } }';
    const from = (tenant: string) =>
      watch(aClient(server.wsUrl, { connectionParams: { ...credential, 'x-tenant': tenant } }), query);
    ['one', 'two'].forEach(from);
    await expect.poll(() => server.seen.live).toBe(2);

    const { results, ended } = from('three');

    await ended;
    expect(results[0]?.errors?.[0]?.extensions).toMatchObject({ reason: 'TOO_MANY_STREAMS' });
  });

  it('are refused with a code when there is no operation of that name', async () => {
    const { send, messages } = await aSocket(server.wsUrl);
    send(greeting);
    await expect.poll(() => messages).toHaveLength(1);
    send({ type: 'subscribe', id: '1', payload: { query: 'query A { __typename }', operationName: 'B' } });

    await expect.poll(() => messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE', requestId: expect.any(String) } }],
    });
  });
});
