import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

import { holdToLimits, serverLimits } from '@foyer/shared/http/server-limits';
import fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';

import { createBalancer } from './balancer.ts';

const opened: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.stop();
});

/** A server that answers every request with its name. */
async function serverNamed(name: string): Promise<number> {
  const server: Server = createServer((_request, response) => response.end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ stop: () => server.close() });
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens any more. */
async function portOfNobody(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function balance(targets: readonly number[]): Promise<number> {
  const balancer = createBalancer();
  opened.push(balancer);
  return balancer.listen({ port: 0, host: '127.0.0.1', targets });
}

const ask = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();

it('distributes connections to the servers in turn', async () => {
  const port = await balance([await serverNamed('one'), await serverNamed('two')]);
  const answers = [await ask(port), await ask(port), await ask(port), await ask(port)];
  expect(answers.toSorted()).toEqual(['one', 'one', 'two', 'two']);
});

it('skips a server that is down', async () => {
  const port = await balance([await serverNamed('one'), await portOfNobody()]);
  expect([await ask(port), await ask(port), await ask(port)]).toEqual(['one', 'one', 'one']);
});

it('closes the connection when every server is down', async () => {
  const port = await balance([await portOfNobody(), await portOfNobody()]);
  const socket = connect(port, '127.0.0.1').resume();
  await once(socket, 'close');
  expect(socket.bytesRead).toBe(0);
});

it('answers a client that has closed its side', async () => {
  const port = await balance([await serverNamed('one')]);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toContain('\r\n\r\none');
});

it('lets a client read the refusal of its body before it has sent all of it', async () => {
  const app = fastify({ bodyLimit: 1_000 });
  holdToLimits(app, serverLimits);
  app.post('/', async () => 'taken');
  await app.listen({ port: 0, host: '127.0.0.1' });
  opened.push({ stop: () => app.close() });
  const port = await balance([(app.server.address() as AddressInfo).port]);

  for (let at = 0; at < 20; at += 1) {
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(8_000_000) });
    expect(status).toBe(413);
  }
});

it('closes the remaining connections when it stops', async () => {
  const port = await balance([await serverNamed('one')]);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await opened.pop()?.stop();
  await closed;
  await expect(ask(port)).rejects.toThrow('fetch failed');
});
