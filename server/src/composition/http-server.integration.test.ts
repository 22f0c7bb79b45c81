import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { Refusal } from '@foyer/shared/errors';
import { openLog } from '@foyer/shared/telemetry/log';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { createHttpServer } from './http-server.ts';

const CONSOLE = 'https://console.example';

describe('the HTTP server', () => {
  const limits = { headersMs: 300, bodyMs: 300, idleMs: 5_000, connections: 100 };
  let server: FastifyInstance;
  let port = 0;

  beforeAll(async () => {
    server = await createHttpServer(readConfig({}), openLog('silent'), {
      limits,
      browsers: { allowedOrigins: [CONSOLE], httpsOnly: true },
    });
    server.post('/orders', { bodyLimit: 100 }, async () => ({ placed: true }));
    server.get('/busy', async () => {
      throw new Refusal('UPSTREAM_UNAVAILABLE', 'DATABASE_BUSY', 'Try again.', { retryAfter: 1 });
    });
    server.get('/often', async () => {
      throw new Refusal('RATE_LIMITED', 'TOO_MANY_REQUESTS', 'Try again.', { retryAfter: 1 });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    port = (server.server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  /** The answer of the server to raw bytes: the status line and the body. */
  async function answerTo(bytes: string) {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    socket.write(bytes);
    const { statusLine, body } = readAnswer(await text(socket));
    return { statusLine, body };
  }

  it('answers invalid bytes in the documented shape', async () => {
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
  ])('disconnects a client that %s, with the reason', async (_what, bytes) => {
    expect(await answerTo(bytes)).toEqual(tooSlow);
  });

  it('disconnects a client whose body trickles without end', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`${order}\r\n`);
    const trickle = setInterval(() => socket.write(' '), 20);
    const answer = await text(socket);
    clearInterval(trickle);
    expect(answer).toContain('HTTP/1.1 408 Request Timeout');
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it('refuses a compressed body, which may be huge when it is unpacked', async () => {
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

  const origin = `host: a\r\norigin: ${CONSOLE}\r\nconnection: close\r\n`;
  const json = 'content-type: application/json\r\n';
  it.each([
    ['no address', 400, `GET /%zz HTTP/1.1\r\n${origin}\r\n`],
    ['no HTTP', 400, `GET / HTTP/1.1\r\n${origin}na me: x\r\n\r\n`],
    ['nowhere', 404, `GET /nowhere HTTP/1.1\r\n${origin}\r\n`],
    ['slow', 408, `POST /orders HTTP/1.1\r\n${origin}${json}content-length: 9\r\n\r\n{`],
    ['large', 413, `POST /orders HTTP/1.1\r\n${origin}${json}content-length: 102\r\n\r\n"${'x'.repeat(100)}"`],
    ['compressed', 415, `POST /orders HTTP/1.1\r\n${origin}${json}content-encoding: br\r\ncontent-length: 1\r\n\r\nx`],
    ['too often', 429, `GET /often HTTP/1.1\r\n${origin}\r\n`],
    ['of large headers', 431, `GET / HTTP/1.1\r\n${origin}x: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['too early', 503, `GET /busy HTTP/1.1\r\n${origin}\r\n`],
  ])('shows only pages of allowed origins why their request is refused: %s', async (_what, status, bytes) => {
    const answers = async (sent: string) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.write(sent);
      return readAnswer(await text(socket));
    };
    const [allowed, foreign] = [await answers(bytes), await answers(bytes.replace(CONSOLE, 'https://evil.example'))];

    expect(allowed.statusLine).toContain(String(status));
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': CONSOLE,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('Retry-After'),
      vary: 'Origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    });
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

/** An answer as it is sent on the wire. */
function readAnswer(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [
      line.split(':', 1)[0]?.toLowerCase() ?? '',
      line.slice(line.indexOf(':') + 2),
    ]),
  );
  return { statusLine, headers, body: JSON.parse(body) as unknown };
}
