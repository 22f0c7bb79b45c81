import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { aSocket } from '../testing/ws-clients.ts';

const LONG = 200_000;
/** So many long answers fill every buffer between us and a client. */
const MANY = 150;

let server: ExampleServer;
beforeEach(async () => {
  server = await startExampleServer({
    GRAPHQL_WS_MAX_MESSAGES: '100',
    GRAPHQL_WS_MAX_UNREAD_BYTES: '1000000',
    GRAPHQL_WS_MAX_CONNECTIONS: '3',
    GRAPHQL_WS_PING_MS: '100',
  });
});
afterEach(() => server.stop());

async function aGreeted() {
  const opened = await aSocket(server.wsUrl);
  opened.send({ type: 'connection_init' });
  await expect.poll(() => opened.messages).toHaveLength(1);
  return opened;
}

describe('a WebSocket client that has gone without closing', () => {
  it('is disconnected, with its subscriptions, when it does not answer a ping', async () => {
    const { socket, send } = await aGreeted();
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { everyOrder { no } }' } });
    await expect.poll(() => server.seen.live).toBe(1);

    socket.pause(); // its side of the connection stays, and nobody is there

    await expect.poll(() => server.seen.live).toBe(0);
    socket.terminate();
  });

  it('is kept when it answers', async () => {
    const { socket, send } = await aGreeted();
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { everyOrder { no } }' } });
    for (let ping = 0; ping < 3; ping += 1) await once(socket, 'ping');
    expect(server.seen.live).toBe(1);
  });
});

describe('a WebSocket client that floods us', () => {
  it('with messages is closed with 1008', async () => {
    const { send, closed } = await aGreeted();
    for (let at = 0; at < 101; at += 1) send({ type: 'ping' });
    expect(await closed).toEqual([1008, 'Too many messages']);
  });

  it('with pings of the WebSocket itself is closed with 1008', async () => {
    const { socket, closed } = await aGreeted();
    for (let at = 0; at < 99; at += 1) {
      socket.ping();
      await once(socket, 'pong');
    }
    socket.ping();
    expect(await closed).toEqual([1008, 'Too many messages']);
  });

  it('with pings faster than we can answer is cut off', async () => {
    const { socket, closed } = await aGreeted();
    for (let at = 0; at < 10_000; at += 1) socket.ping();
    expect((await closed)[0]).toBe(1006);
  });

  it('with operations whose answers it does not read is cut off before they fill our memory', async () => {
    await server.stop();
    // Long before it would have to answer a ping.
    server = await startExampleServer({ GRAPHQL_WS_MAX_UNREAD_BYTES: '1000000', GRAPHQL_WS_PING_MS: '60000' });
    const { socket, send, closed } = await aGreeted();
    socket.pause();
    const payload = { query: 'query ($no: ID!) { order(no: $no) { no } }', variables: { no: 'x'.repeat(LONG) } };
    const close = vi.spyOn(WebSocket.prototype, 'close'); // only the server closes
    onTestFinished(() => close.mockRestore());
    const isCutOff = () => close.mock.calls.length > 0;

    for (let number = 1; !isCutOff() && number <= MANY; number += 1) {
      send({ type: 'subscribe', id: String(number), payload });
      await vi.waitUntil(() => isCutOff() || server.seen.scopes.length === number, { interval: 5 });
    }

    expect(close.mock.calls).toEqual([[1008, 'Too much unread']]);
    socket.resume();
    await closed;
  });

  it('with connections gets a limited number, and 503 beyond', async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => aSocket(server.wsUrl)));
    await expect(aSocket(server.wsUrl)).rejects.toThrow('503');
    sockets[0]?.socket.close();
    await vi.waitFor(async () => (await aSocket(server.wsUrl)).socket.close());
  });

  it('with compressed frames, which were not negotiated, is closed', async () => {
    const { socket, closed } = await aSocket(server.wsUrl);
    const { _socket: tcp } = socket as unknown as { _socket: { write(bytes: Buffer): void } };
    tcp.write(Buffer.from([0xc1, 0x80, 0, 0, 0, 0])); // a text frame with the bit that says: compressed
    expect((await closed)[0]).toBe(1002);
  });

  it('with a frame of a huge declared length is closed before it comes', async () => {
    const { socket, closed } = await aSocket(server.wsUrl);
    const { _socket: tcp } = socket as unknown as { _socket: { write(bytes: Buffer): void } };
    const huge = Buffer.alloc(14);
    huge.writeUInt16BE(0x81_ff, 0);
    huge.writeBigUInt64BE(2n ** 33n, 2);
    tcp.write(huge);
    expect((await closed)[0]).toBe(1009);
  });

  it('with an invalid handshake gets 400, and its connection is closed', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toContain('400 Bad Request');
    await once(socket, 'close');
  });
});
