import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';

/** Adds `GET /metrics`: the metrics of this process, with those of Node.js itself, in Prometheus' text format. */
export function mountMetrics(app: FastifyInstance): void {
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  app.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}
