import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { openLog } from '@foyer/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from './config.ts';
import { createFrontDoor } from './front-door.ts';

describe('the front door', () => {
  const limits = { headersMs: 300, bodyMs: 300, idleMs: 5_000, connections: 100 };
  const door = createFrontDoor(readConfig({}), openLog('silent'), limits);
  let port = 0;

  beforeAll(async () => {
    door.post('/orders', async () => ({ placed: true }));
    await door.listen({ port: 0, host: '127.0.0.1' });
    port = (door.server.address() as AddressInfo).port;
  });
  afterAll(() => door.close());

  /** What the server answers to raw bytes: the status line and the body. */
  async function answerTo(bytes: string) {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { statusLine: head.split('\r\n')[0], body: JSON.parse(body) as unknown };
  }

  it('answers bytes that are no request in the documented shape', async () => {
    expect(await answerTo('what is this\r\n\r\n')).toEqual({
      statusLine: 'HTTP/1.1 400 Bad Request',
      body: { success: false, code: 'BAD_REQUEST', message: expect.any(String), requestId: expect.any(String) },
    });
  });

  const order = 'POST /orders HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n';
  const tooSlow = {
    statusLine: 'HTTP/1.1 408 Request Timeout',
    body: { success: false, code: 'REQUEST_TIMEOUT', message: expect.any(String), requestId: expect.any(String) },
  };

  it.each([
    ['says nothing', ''],
    ['stops within its headers', order],
    ['stops within its body', `${order}\r\n{"ticket`],
  ])('lets go of a client that %s, and tells it why', async (_what, bytes) => {
    expect(await answerTo(bytes)).toEqual(tooSlow);
  });

  it('lets go of a client whose body trickles without end', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`${order}\r\n`);
    const trickle = setInterval(() => socket.write(' '), 20);
    const answer = await text(socket);
    clearInterval(trickle);
    expect(answer).toContain('HTTP/1.1 408 Request Timeout');
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it('reads no compressed body: what is small here may be huge there', async () => {
    const { statusLine, body } = await answerTo(`${order}content-encoding: gzip\r\nconnection: close\r\n\r\n`);
    expect([statusLine, body]).toEqual([
      'HTTP/1.1 415 Unsupported Media Type',
      expect.objectContaining({ code: 'CONTENT_ENCODED' }),
    ]);
  });

  it('answers headers that are too large in the documented shape', async () => {
    expect(await answerTo(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toEqual({
      statusLine: 'HTTP/1.1 431 Request Header Fields Too Large',
      body: { success: false, code: 'HEADERS_TOO_LARGE', message: expect.any(String), requestId: expect.any(String) },
    });
  });
});
