import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { openLog } from '@foyer/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from './config.ts';
import { createFrontDoor } from './front-door.ts';

describe('the front door', () => {
  const door = createFrontDoor(readConfig({}), openLog('silent'));
  let port = 0;

  beforeAll(async () => {
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

  it('answers headers that are too large in the documented shape', async () => {
    expect(await answerTo(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toEqual({
      statusLine: 'HTTP/1.1 431 Request Header Fields Too Large',
      body: { success: false, code: 'HEADERS_TOO_LARGE', message: expect.any(String), requestId: expect.any(String) },
    });
  });
});
