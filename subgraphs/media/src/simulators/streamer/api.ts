import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { FaultSwitch } from './faults.ts';
import { LONGEST_STREAM_ID, type Stream, type Streams } from './streams.ts';

/** A duration in the format of Go: 500ms, 2s, 1.5s, 1m30s. */
const duration = z.string().regex(/^(\d+(\.\d+)?(ms|s|m|h))+$/, 'must be a duration such as 500ms');

const Payload = z.looseObject({
  url: z.string().min(1),
  chunkDuration: duration.optional(),
  fragmentDuration: duration.optional(),
  netTimeout: duration.optional(),
  forceClean: z.boolean().optional(),
});

const FaultOrder = z.object({
  fault: z.union([z.literal('hang'), z.literal('reset'), z.number().int().min(200).max(599)]),
  times: z.number().int().min(1).max(1000).default(1),
});

interface Parts {
  streams: Streams;
  faults: FaultSwitch;
  startedAt: number;
}

type StreamRequest = FastifyRequest<{ Params: { streamId: string } }>;

/** The API port. */
export function streamerApi({ streams, faults, startedAt }: Parts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: LONGEST_STREAM_ID } });

  app.addHook('onRequest', async (request, reply) => {
    const isBroken = request.url.startsWith('/api/') && faults.apply(request, reply);
    return isBroken ? reply : undefined;
  });

  app.get('/api/ping', () => ({
    status: 'ok',
    version: 'foyer-sim',
    uptime: Math.round((Date.now() - startedAt) / 1000),
  }));
  app.get('/api/streams', () => ({ streams: streams.all().map(shown) }));
  app.get('/api/streams/:streamId', (request: StreamRequest, reply) => {
    const stream = streams.find(request.params.streamId);
    return stream ? reply.send(shown(stream)) : noSuchStream(reply);
  });
  app.post('/api/streams/:streamId', async (request: StreamRequest, reply) => {
    const payload = Payload.safeParse(request.body);
    if (!payload.success) return reply.code(400).send({ error: z.prettifyError(payload.error) });
    const stream = { id: request.params.streamId, payload: payload.data, createdAt: new Date().toISOString() };
    if (!(await streams.add(stream))) return reply.code(500).send({ error: 'stream already exists' });
    return reply.code(201).send(shown(stream));
  });
  app.delete('/api/streams/:streamId', async (request: StreamRequest, reply) =>
    (await streams.remove(request.params.streamId)) ? reply.code(204).send() : noSuchStream(reply),
  );
  app.post('/sim/faults', (request, reply) => {
    const order = FaultOrder.safeParse(request.body);
    if (!order.success) return reply.code(400).send({ error: z.prettifyError(order.error) });
    faults.next(order.data.fault, order.data.times);
    return reply.code(204).send();
  });
  return app;
}

const shown = ({ id, payload, createdAt }: Stream) => ({ id, status: 'running', createdAt, config: payload });

const noSuchStream = (reply: FastifyReply) => reply.code(404).send({ error: 'no such stream' });
