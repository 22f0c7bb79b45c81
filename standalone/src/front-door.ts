import proxy from '@fastify/http-proxy';
import { answerClientError, answerErrors, answerFrameworkError } from '@foyer/shared/http';
import type { Log } from '@foyer/shared/log';
import { observe, observedServer } from '@foyer/shared/observed-server';
import { headLimits, holdToLimits, serverLimits } from '@foyer/shared/server-limits';
import Fastify, { type FastifyInstance } from 'fastify';

import type { Place } from './config.ts';
import type { Door } from './embedded-world.ts';
import { htmlPage } from './html-page.ts';
import { mayUpgrade } from './upgrades.ts';

/** The one HTTP server of this house, still without routes. */
export function createFrontDoor(
  { trustedProxies }: Pick<Place, 'trustedProxies'>,
  log: Log,
  limits = serverLimits,
): FastifyInstance {
  const app = Fastify({
    ...observedServer({ log, trustedProxies }),
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
    http: { ...headLimits(limits), shouldUpgradeCallback: mayUpgrade(['/graphql', '/sim/inbox']) },
    routerOptions: { ignoreTrailingSlash: true },
    requestTimeout: 0, // a long upload is one long request
    connectionTimeout: limits.idleMs,
    forceCloseConnections: 'idle',
  });
  observe(app, log);
  holdToLimits(app, limits);
  answerErrors(app, log, (request, response) => htmlPage(response, 'not-found.eta', { path: request.url }));
  return app;
}

/** The pages of embedded parts that people reach under the port of the house. */
export async function mountDoors(app: FastifyInstance, doors: readonly Door[]): Promise<void> {
  for (const { prefix, upstream, keepsPrefix } of doors) {
    await app.register(proxy, {
      prefix,
      upstream,
      rewritePrefix: keepsPrefix ? prefix : '',
      websocket: keepsPrefix,
    });
  }
}
