import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

let server: ExampleServer;
const open = new Set<Socket>();

beforeAll(async () => {
  server = await startExampleServer({}, { headersMs: 300, bodyMs: 300, idleMs: 5_000, connections: 20 });
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.stop();
});

/** Opens a connection, and collects what comes over it until the server closes it. */
async function aConnection() {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  open.add(socket);
  let heard = '';
  socket.on('data', (data: Buffer) => (heard += data.toString())).on('error', () => undefined);
  const closed = new Promise<string>((resolve) => void socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  return { socket, closed, heard: () => heard };
}

const head = (length: number) =>
  `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** Sends a text, one character after the other, while the connection is open. */
async function trickle(socket: Socket, text: string) {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await pause(20);
  }
}

describe('a client of the gateway that is slow', () => {
  it('and sends nothing gets 408, and its connection is closed', async () => {
    const { closed } = await aConnection();
    expect(await closed).toContain('408 Request Timeout');
  });

  it('with its headers gets 408, and its connection is closed', async () => {
    const { socket, closed } = await aConnection();
    await trickle(socket, head(1_000));
    expect(await closed).toContain('408 Request Timeout');
  });

  it('with its body gets 408 as a GraphQL answer, and its connection is closed', async () => {
    const { socket, closed } = await aConnection();
    socket.write(head(10_000));
    await trickle(socket, `{"query":"${'x'.repeat(5_000)}`);

    const answer = await closed;
    expect(answer).toContain('HTTP/1.1 408 Request Timeout');
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it('with a body in chunks gets the same', async () => {
    const { socket, closed } = await aConnection();
    socket.write('POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    socket.write('transfer-encoding: chunked\r\n\r\n');
    await trickle(socket, '1\r\nx\r\n'.repeat(1_000));
    expect(await closed).toContain('408 Request Timeout');
  });

  it('keeps nobody else waiting', async () => {
    const { socket } = await aConnection();
    socket.write(`${head(10)}{`);
    expect((await server.post('{ order(no: 1) { no } }')).status).toBe(200);
  });

  it('may wait long for its answer once its request has come in time', async () => {
    const { socket, heard } = await aConnection();
    const body = '{"query":"{ slow }"}';
    socket.write(`${head(body.length)}${body}`);
    // These come later, so that both limits have passed for the first when they have for these.
    const [idle, halfway] = [await aConnection(), await aConnection()];
    halfway.socket.write(`${head(10)}{`);
    await Promise.all([idle.closed, halfway.closed]);

    expect([socket.destroyed, heard()]).toEqual([false, '']);
    socket.destroy();
  });
});

describe('a client of the gateway that floods it', () => {
  it('with connections gets a limited number; others get theirs later', async () => {
    const many = await Promise.all(Array.from({ length: 40 }, () => aConnection()));
    await expect.poll(() => many.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(20);

    for (const { socket } of many) socket.destroy();
    await expect.poll(async () => (await server.post('{ order(no: 1) { no } }')).status).toBe(200);
  });

  it('with headers gets 431', async () => {
    const { socket, closed } = await aConnection();
    socket.write(`GET /graphql HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(3_000)}\r\n`);
    expect(await closed).toContain('431');
  });

  it('with ambiguous request lengths is refused', async () => {
    const { socket, closed } = await aConnection();
    socket.write(`${head(5).trimEnd()}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`);
    expect(await closed).toContain('400 Bad Request');
  });
});
