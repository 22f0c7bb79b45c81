import { deployMigrations } from '@foyer/prisma/migrate';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { setVariablesOf } from '@foyer/shared/config/config';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { closeServer, halvesOf } from '@foyer/shared/http/close-server';
import { openLog } from '@foyer/shared/telemetry/log';

import { readServerConfig } from '../composition/configuration.ts';
import { openGateway } from '../composition/gateway.ts';
import { readGatewayConfig } from '../composition/gateway-config.ts';
import { infrastructureChecks } from '../composition/health.ts';
import { assertProgramsAreThere } from '../composition/named-files.ts';
import { permissionPolicies } from '../composition/policies.ts';
import { assertPortIsFree } from '../composition/port.ts';
import { createPublicApi } from '../composition/public-api.ts';
import { openShared } from '../composition/infrastructure.ts';
import { openSubgraphs, relayEvents, startUp } from '../composition/subgraphs.ts';
import { openTraces } from '../composition/tracing.ts';
import { addressesOf, writeAddresses } from '../data-dir/addresses.ts';
import { openDataDir } from '../data-dir/data-dir.ts';
import { loadOrCreateSecrets } from '../data-dir/secrets.ts';
import { welcomeOf } from '../docs-site/start-page.ts';
import { startEmbeddedServices } from '../embedded/embedded-services.ts';

export interface RunningServer {
  /** How long its requests may take to end. */
  drainMs: number;
  publicUrl: string;
  /** The text for a newcomer: addresses, accounts, first steps. */
  welcome: string;
  /** Lets requests and jobs end, then stops everything in the reverse order of its start. */
  stop(): Promise<void>;
}

/**
 * Starts the whole platform in this process. Every external service that no variable names is embedded.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startServer(processEnv: NodeJS.ProcessEnv): Promise<RunningServer> {
  const named = setVariablesOf(processEnv);
  const config = readServerConfig(named);
  const log = openLog(config.logLevel);
  await assertPortIsFree(config.port, config.host);
  await assertProgramsAreThere(named);

  await using stack = new AsyncDisposableStack();
  stack.adopt(await openTraces(named, { name: 'foyer', log }), (open) => open.stop());
  const dataDir = stack.adopt(await openDataDir(config.dataDir), (held) => held.release());
  const secrets = config.production ? undefined : await loadOrCreateSecrets(dataDir.folder('secrets.json'));
  const given: NodeJS.ProcessEnv = { ...secrets, ...addressesOf(config), ...named };
  const configs = { rest: readRestConfig(given), gateway: readGatewayConfig(given) };

  const embedded = stack.adopt(await startEmbeddedServices({ config, dataDir, secrets, log }), (open) => open.stop());
  const databaseUrl = embedded.env['DATABASE_URL'] ?? config.databaseUrl ?? '';
  if (config.databaseUrl) await assertDatabaseAnswers(databaseUrl);
  await deployMigrations(databaseUrl, config.logLevel);
  const shared = await openShared({ stack, databaseUrl, redisUrl: config.redisUrl, supervision: config.jobs, log });
  const subgraphs = await openSubgraphs({ stack, shared, env: { ...embedded.env, ...given } });
  await startUp({ subgraphs, shared, embedded, config });
  relayEvents({ stack, databaseUrl, shared, subgraphs });

  const { authenticate, permissions } = subgraphs.identity;
  const gateway = await openGateway({
    stack,
    subgraphs,
    authenticate,
    evaluatePolicies: permissionPolicies(permissions),
    config: configs.gateway,
    log,
    clock: shared.clock,
    redis: shared.redis,
  });

  const publicApi = await createPublicApi({
    config,
    rest: configs.rest,
    gateway,
    authenticate,
    log,
    embedded,
    checks: {
      ...infrastructureChecks(shared),
      store: subgraphs.media.checkStore,
      worker: async () => shared.jobs.healthy(),
    },
    routes: Object.values(subgraphs).map(({ routes }) => routes),
  });
  const app = stack.adopt(publicApi, () =>
    closeServer(publicApi, { drainMs: config.drainMs, ...halvesOf(config.shutdownDelayMs) }),
  );

  await shared.jobs.work();
  await app.listen({ port: config.port, host: config.host });
  stack.adopt(await writeAddresses(config, embedded.env), (file) => file.remove());

  const running = stack.move();
  return {
    publicUrl: config.publicUrl,
    drainMs: config.shutdownDelayMs + config.drainMs,
    welcome: welcomeOf({ config, services: embedded.services }),
    stop: () => running.disposeAsync(),
  };
}
