import type { IncomingMessage } from 'node:http';

import { holdBrowsersTo, serverForBrowsers, type BrowserRules } from '@foyer/shared/http/browsers';
import { answerClientError, answerErrors, answerFrameworkError } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { headLimits, holdToLimits, serverLimits, type ServerLimits } from '@foyer/shared/http/server-limits';
import Fastify, { type FastifyInstance } from 'fastify';

import type { Place } from './config.ts';
import { isContentHost, keepContentApart } from './content-origin.ts';
import type { Door } from './embedded/embedded-services.ts';
import { htmlPage } from './docs-site/html-page.ts';
import { mayUpgrade } from './upgrades.ts';

interface DoorOptions {
  limits?: ServerLimits;
  /** What browsers may do here. A server that is reached through another leaves that to it. */
  browsers?: BrowserRules;
}

/** The one HTTP server of this house, still without routes. */
export async function createFrontDoor(
  { trustedProxies, contentOrigin }: Pick<Place, 'trustedProxies'> & Partial<Pick<Place, 'contentOrigin'>>,
  log: Log,
  { limits = serverLimits, browsers }: DoorOptions = {},
): Promise<FastifyInstance> {
  const isContent = isContentHost(contentOrigin);
  const ours = mayUpgrade(['/graphql', '/sim/inbox']);
  const takenOver = (request: IncomingMessage) => ours(request) && !isContent(request.headers.host);
  const rules = browsers && serverForBrowsers(browsers, takenOver);
  const app = Fastify({
    ...observedServer({ log, trustedProxies }),
    frameworkErrors: rules?.frameworkErrors ?? answerFrameworkError,
    clientErrorHandler: rules?.clientErrorHandler ?? answerClientError,
    http: { ...headLimits(limits), shouldUpgradeCallback: rules?.shouldUpgradeCallback ?? takenOver },
    routerOptions: { ignoreTrailingSlash: true },
    requestTimeout: 0, // a long upload is one long request
    connectionTimeout: limits.idleMs,
    forceCloseConnections: 'idle',
  });
  observe(app, log);
  if (browsers) await holdBrowsersTo(app, browsers);
  keepContentApart(app, contentOrigin);
  holdToLimits(app, limits);
  answerErrors(app, log, (request, response) => htmlPage(response, 'not-found.eta', { path: request.url }));
  return app;
}

/** The pages of embedded parts that people reach under the port of the house. */
export async function mountDoors(app: FastifyInstance, doors: readonly Door[]): Promise<void> {
  if (doors.length === 0) return;
  const { default: proxy } = await import('@fastify/http-proxy');
  for (const { prefix, upstream, keepsPrefix } of doors) {
    await app.register(proxy, {
      prefix,
      upstream,
      rewritePrefix: keepsPrefix ? prefix : '',
      websocket: keepsPrefix,
      config: { takes: 'anything' }, // what they take is theirs to say
    });
  }
}
