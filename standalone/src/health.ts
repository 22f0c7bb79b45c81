import type { JobQueue } from '@foyer/shared/jobs';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';

interface Needs {
  db: { $queryRaw(sql: TemplateStringsArray): Promise<unknown> };
  jobs: JobQueue;
  migrationsMissing(): Promise<readonly string[]>;
  /** Rejects when the object store does not answer. */
  checkStore(): Promise<void>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** `/health/live`: the process answers. `/health/ready`: it can do its work. `/metrics`: Prometheus. */
export function mountHealth(app: FastifyInstance, { db, jobs, migrationsMissing, checkStore }: Needs): void {
  app.get('/health/live', () => ({ status: 'ok' }));

  app.get('/health/ready', async (_request, response) => {
    const checks = {
      database: await passes(() => db.$queryRaw`SELECT 1`),
      migrations: await passes(async () => {
        if ((await migrationsMissing()).length > 0) throw new Error('migrations are missing');
      }),
      store: await passes(checkStore),
      worker: jobs.healthy(),
    };
    const ready = Object.values(checks).every(Boolean);
    return response.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks });
  });

  collectDefaultMetrics();
  app.get('/metrics', async (_request, response) => response.type(register.contentType).send(await register.metrics()));
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), CHECK_TIMEOUT_MS).unref();
  });
  return Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    timeout,
  ]);
}
