import { once } from 'node:events';

import Fastify, { type FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';

import { closeServer } from './close-server.ts';

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

    const closed = closeServer(app, 600_000);
    const finished = once(app.server, 'close');
    respond();

    expect(await answer).toBe('late');
    await Promise.all([closed, finished]);
  });

  it('cuts off those that take longer', async () => {
    const { app, answer } = await withOpenRequest();

    await closeServer(app, 10);

    await expect(answer).rejects.toThrow('fetch failed');
  });
});
