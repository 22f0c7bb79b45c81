import type { IncomingMessage } from 'node:http';

import type { BrowserRules } from '@foyer/shared/http/browsers/browser-rules';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers/browsers';
import { answerClientError, answerErrors, answerFrameworkError } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { headLimits, holdToLimits, serverLimits, type ServerLimits } from '@foyer/shared/http/server-limits';
import Fastify, { type FastifyInstance } from 'fastify';

import type { ServerConfig } from '../config.ts';
import { isContentHost, keepContentApart } from './content-origin.ts';
import type { ProxyRoute } from '../embedded/embedded-services.ts';
import { htmlPage } from '../docs-site/html-page.ts';
import { mayUpgrade } from './upgrades.ts';

interface HttpServerOptions {
  limits?: ServerLimits;
  /** The rules for requests of browsers. A server behind another one leaves them to that one. */
  browsers?: BrowserRules;
}

/** Creates the HTTP server of a process, without routes: limits, rules for browsers, errors, metrics. */
export async function createHttpServer(
  {
    trustedProxies,
    contentOrigin,
  }: Pick<ServerConfig, 'trustedProxies'> & Partial<Pick<ServerConfig, 'contentOrigin'>>,
  log: Log,
  { limits = serverLimits, browsers }: HttpServerOptions = {},
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
    // What comes while the server closes is answered, too.
    return503OnClosing: false,
  });
  observe(app, log);
  if (browsers) await holdBrowsersTo(app, browsers);
  keepContentApart(app, contentOrigin);
  holdToLimits(app, limits);
  answerErrors(app, log, (request, response) => htmlPage(response, 'not-found.eta', { path: request.url }));
  return app;
}

/** Mounts the pages of embedded services on the port of the server. */
export async function mountProxies(app: FastifyInstance, proxies: readonly ProxyRoute[]): Promise<void> {
  if (proxies.length === 0) return;
  const { default: proxy } = await import('@fastify/http-proxy');
  for (const { prefix, upstream, keepsPrefix } of proxies) {
    await app.register(proxy, {
      prefix,
      upstream,
      rewritePrefix: keepsPrefix ? prefix : '',
      websocket: keepsPrefix,
      config: { takes: 'anything' }, // the service behind decides what it takes
    });
  }
}
