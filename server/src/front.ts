import type { Gateway } from '@foyer/gateway/app';
import { createRestCompat } from '@foyer/rest-compat/app';
import type { Config as RestConfig } from '@foyer/rest-compat/config';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import { mountHealth, type Checks } from '@foyer/shared/http/health';
import type { Log } from '@foyer/shared/telemetry/log';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

import { mountApiDocs } from './docs-site/api-docs.ts';
import type { Place } from './config.ts';
import { mountDemo } from './docs-site/demo.ts';
import { mountDocs } from './docs-site/docs.ts';
import type { World } from './embedded/embedded-services.ts';
import { createFrontDoor, mountDoors } from './front-door.ts';
import { mountStartPage } from './docs-site/start-page.ts';
import { describedSchemas } from './subgraph-schemas.ts';

interface Behind {
  config: Place & {
    dataDir?: string;
    paymentGatewayUrl: string | undefined;
    paymentGatewayPublicUrl?: string | undefined;
  };
  rest: RestConfig;
  gateway: Gateway;
  authenticate: Authenticate;
  log: Log;
  checks: Checks;
  world: Pick<World, 'parts' | 'doors'>;
  /** The routes of the subgraphs, or what passes them on. */
  routes: readonly FastifyPluginAsync[];
}

/** The server that people and clients reach: pages, REST, GraphQL, and the routes of the subgraphs. */
export async function createFront(behind: Behind): Promise<FastifyInstance> {
  const { config, rest, gateway, authenticate, log, checks, world, routes } = behind;
  const app = await createFrontDoor(config, log, {
    browsers: { ...rest, httpsOnly: config.production && config.publicUrl.startsWith('https:') },
  });
  mountApiDocs(app, { publicUrl: config.publicUrl, readSchemas: describedSchemas });
  const look = mountHealth(app, checks);
  mountDocs(app);
  if (config.demo) mountDemo(app, config);
  mountStartPage(app, { config, parts: world.parts, look });
  await mountDoors(app, world.doors);
  await app.register(
    createRestCompat({ execute: gateway.execute, countRequest: gateway.countRequest, authenticate, config: rest, log }),
  );
  for (const plugin of routes) await app.register(plugin);
  await app.register(gateway.routes);
  return app;
}
