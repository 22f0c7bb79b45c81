import { closeServer, halvesOf } from '@foyer/shared/http/close-server';
import type { FastifyInstance } from 'fastify';

import { assertPortIsFree } from '../composition/port.ts';
import type { ServerConfig } from '../config.ts';

/**
 * Listens, as the last step of a start, and hands the resources of the process to its `stop`.
 *
 * @throws {ConfigError} when it can't listen there
 */
export async function listen(
  app: FastifyInstance,
  { port, host, drainMs, shutdownDelayMs }: Pick<ServerConfig, 'port' | 'host' | 'drainMs' | 'shutdownDelayMs'>,
  stack: AsyncDisposableStack,
) {
  stack.adopt(app, () => closeServer(app, { drainMs, ...halvesOf(shutdownDelayMs) }));
  await assertPortIsFree(port, host);
  const url = await app.listen({ port, host });
  const running = stack.move();
  return { url, drainMs: shutdownDelayMs + drainMs, stop: () => running.disposeAsync() };
}
