import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';

/** `GET /metrics`: what this process counts, in the text form of Prometheus, and how the process itself does. */
export function mountMetrics(app: FastifyInstance): void {
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  app.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}
