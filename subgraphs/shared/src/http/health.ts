import type { FastifyInstance } from 'fastify';

import { mountMetrics } from '../telemetry/metrics.ts';
import { isStopping } from './close-server.ts';

/** The timeout of a health check, in milliseconds. */
export const CHECK_TIMEOUT_MS = 2_000;

/** What a process needs to do its work, by name; a check that rejects, returns false, or times out fails. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

/** Which checks pass, by their names. */
export type Look = () => Promise<Record<string, boolean>>;

/** Checks that do not make a process unready: it can do its other work, and taking every process out of use would be worse. */
const dispensable = new Set(['redis', 'identity', 'ticketing', 'media']);

/**
 * `/health/live`: the process answers. `/health/ready`: it can do its work, and is not about to stop. `/metrics`: Prometheus.
 * Returns what `/health/ready` looks at.
 *
 * @param path instead of `/health`
 */
export function mountHealth(app: FastifyInstance, checks: Checks, path = '/health'): Look {
  const look: Look = async () => {
    const names = Object.keys(checks);
    const passed = await Promise.all(Object.values(checks).map(passes));
    return Object.fromEntries(names.map((name, at) => [name, passed[at] === true]));
  };

  app.get(`${path}/live`, () => ({ status: 'ok' }));

  app.get(`${path}/ready`, async (_request, response) => {
    if (isStopping(app)) return response.code(503).send({ status: 'stopping', checks: {} });
    const looked = await look();
    const failing = Object.keys(looked).filter((name) => !looked[name]);
    const ready = failing.every((name) => dispensable.has(name));
    const status = failing.length === 0 ? 'ok' : ready ? 'degraded' : 'unavailable';
    return response.code(ready ? 200 : 503).send({ status, checks: looked });
  });

  mountMetrics(app);
  return look;
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), CHECK_TIMEOUT_MS).unref();
  });
  return Promise.race([
    check().then(
      (result) => result !== false,
      () => false,
    ),
    timeout,
  ]);
}
