import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import Fastify, { type FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';

import { closeServer } from './close-server.ts';
import { mountHealth } from './health.ts';

/** A server with a request that waits for its answer. */
async function withOpenRequest() {
  const app = Fastify({ forceCloseConnections: 'idle' });
  const arrived = Promise.withResolvers<() => void>();
  app.get('/', (_request, reply: FastifyReply) => {
    arrived.resolve(() => void reply.send('late'));
  });
  const answer = fetch(await app.listen({ port: 0 })).then((response) => response.text());
  answer.catch(() => undefined);
  return { app, answer, respond: await arrived.promise };
}

/** A server that answers at once. */
async function open() {
  const app = Fastify({ forceCloseConnections: 'idle' });
  app.get('/', () => 'answered');
  mountHealth(app, {});
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

describe('a server that is closed', () => {
  it('answers the requests that it has, as long as they may take', async () => {
    const { app, answer, respond } = await withOpenRequest();

    const closed = closeServer(app, { drainMs: 600_000 });
    const finished = once(app.server, 'close');
    respond();

    expect(await answer).toBe('late');
    await Promise.all([closed, finished]);
  });

  it('cuts off those that take longer', async () => {
    const { app, answer } = await withOpenRequest();

    await closeServer(app, { drainMs: 10, delayMs: 1, lingerMs: 1 });

    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('first goes on answering for a while, but is not ready', async () => {
    const { app, url } = await open();

    void closeServer(app, { drainMs: 10, delayMs: 600_000 });

    expect(await (await fetch(url)).text()).toBe('answered');
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    await app.close();
  });

  it('then takes no new connections, and answers on the open ones once more', async () => {
    const { app, url } = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
      return [response.headers.connection, await text(response)];
    };
    expect(await ask()).toEqual(['keep-alive', 'answered']);

    void closeServer(app, { drainMs: 10, lingerMs: 600_000 });

    expect(await ask()).toEqual(['close', 'answered']);
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
    await app.close();
    agent.destroy();
  });
});
