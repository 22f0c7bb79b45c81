import type { Gateway } from '@foyer/gateway/app';
import { createRestCompat } from '@foyer/rest-compat/app';
import type { Config as RestConfig } from '@foyer/rest-compat/config';
import { mountReceiptPages } from '@foyer/rest-compat/receipt-pages';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import { mountHealth, type Checks } from '@foyer/shared/http/health';
import type { Log } from '@foyer/shared/telemetry/log';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

import type { ServerConfig } from '../config.ts';
import { mountApiDocs } from '../docs-site/api-docs.ts';
import { mountDemo } from '../docs-site/demo.ts';
import { mountDocs } from '../docs-site/docs.ts';
import { mountStartPage } from '../docs-site/start-page.ts';
import type { EmbeddedServices } from '../embedded/embedded-services.ts';
import { createHttpServer, mountProxies } from './http-server.ts';
import { describedSchemas } from './subgraph-schemas.ts';

interface PublicApiOptions {
  config: ServerConfig & {
    dataDir?: string;
    paymentGatewayUrl: string | undefined;
    paymentGatewayPublicUrl?: string | undefined;
  };
  rest: RestConfig;
  gateway: Gateway;
  authenticate: Authenticate;
  log: Log;
  checks: Checks;
  embedded: Pick<EmbeddedServices, 'services' | 'proxies'>;
  /** The HTTP routes of the subgraphs, or routes that forward to them. */
  routes: readonly FastifyPluginAsync[];
}

/** Creates the server that people and clients reach: pages, REST, GraphQL, and the routes of the subgraphs. */
export async function createPublicApi(options: PublicApiOptions): Promise<FastifyInstance> {
  const { config, rest, gateway, authenticate, log, checks, embedded, routes } = options;
  const app = await createHttpServer(config, log, {
    browsers: { ...rest, httpsOnly: config.production && config.publicUrl.startsWith('https:') },
  });
  mountApiDocs(app, { publicUrl: config.publicUrl, readSchemas: describedSchemas });
  const look = mountHealth(app, checks);
  mountDocs(app, config);
  if (config.demo) mountDemo(app, config);
  mountStartPage(app, { config, services: embedded.services, look });
  await mountProxies(app, embedded.proxies);
  await app.register(
    createRestCompat({ execute: gateway.execute, countRequest: gateway.countRequest, authenticate, config: rest, log }),
  );
  mountReceiptPages(app);
  for (const plugin of routes) await app.register(plugin);
  await app.register(gateway.routes);
  return app;
}
