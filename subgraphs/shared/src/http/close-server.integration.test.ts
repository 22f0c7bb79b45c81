import { once } from 'node:events';

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

    await closeServer(app, { drainMs: 10, delayMs: 1 });

    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('first goes on answering for a while, not ready, on connections that are not used again', async () => {
    const app = Fastify({ forceCloseConnections: 'idle' });
    app.get('/', () => 'answered');
    mountHealth(app, {});
    const url = await app.listen({ port: 0 });
    const ask = async (path: string) => {
      const response = await fetch(url + path);
      return [response.status, response.headers.get('connection'), await response.text()];
    };
    expect(await ask('/')).toEqual([200, 'keep-alive', 'answered']);

    void closeServer(app, { drainMs: 10, delayMs: 600_000 });

    expect(await ask('/')).toEqual([200, 'close', 'answered']);
    expect(await ask('/health/ready')).toEqual([503, 'close', expect.stringContaining('"stopping"')]);
    await app.close();
  });
});
