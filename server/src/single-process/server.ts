import { readConfig as readGatewayConfig } from '@foyer/gateway/config';
import { deployMigrations } from '@foyer/prisma/migrate';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { closeServer } from '@foyer/shared/http/close-server';
import { openLog } from '@foyer/shared/telemetry/log';

import { addressesOf, tellAddresses } from '../addresses.ts';
import { readConfig } from '../config.ts';
import { openDataDir } from '../data-dir.ts';
import { openWorld } from '../embedded/embedded-services.ts';
import { createFront } from '../front.ts';
import { openGateway } from '../gateway.ts';
import { groundChecks } from '../health.ts';
import { assertPortIsFree } from '../port.ts';
import { keptSecrets } from '../secrets.ts';
import { welcomeOf } from '../docs-site/start-page.ts';
import { openShared, openSubgraphs, relayNotices, startUp } from '../subgraphs.ts';
import { openTraces } from '../tracing.ts';
import { unwinding } from '../unwinding.ts';

/** A running house. */
export interface House {
  publicUrl: string;
  /** What a newcomer is told: addresses, accounts, first steps. */
  welcome: string;
  /** Lets requests and jobs end, then stops what was started, in the reverse order. */
  stop(): Promise<void>;
}

/**
 * Opens the whole platform in this process, with every outside part that no variable names embedded.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function openHouse(processEnv: NodeJS.ProcessEnv): Promise<House> {
  const config = readConfig(processEnv);
  const log = openLog(config.logLevel);
  await assertPortIsFree(config.port, config.host);

  return unwinding(async (later) => {
    later(await openTraces(processEnv, { name: 'foyer', log }), (open) => open.stop());
    const dataDir = later(await openDataDir(config.dataDir), (held) => held.release());
    const secrets = config.production ? undefined : await keptSecrets(dataDir.folder('secrets.json'));
    const given: NodeJS.ProcessEnv = {
      ...secrets,
      ...addressesOf(config),
      ...processEnv,
    };
    const configs = { rest: readRestConfig(given), gateway: readGatewayConfig(given) };

    const world = later(await openWorld(config, dataDir, secrets), (open) => open.stop());
    const databaseUrl = world.env['DATABASE_URL'] ?? config.databaseUrl ?? '';
    await deployMigrations(databaseUrl);
    const shared = await openShared({ later, databaseUrl, redisUrl: config.redisUrl, watchfulness: config.jobs, log });
    const subgraphs = await openSubgraphs({ later, shared, env: { ...world.env, ...given } });
    await startUp({ subgraphs, shared, world, config });

    relayNotices({ later, databaseUrl, shared, subgraphs });

    const { authenticate } = subgraphs.identity;
    const gateway = await openGateway({
      later,
      subgraphs,
      authenticate,
      config: configs.gateway,
      log,
      clock: shared.clock,
      redis: shared.redis,
    });

    const front = await createFront({
      config,
      rest: configs.rest,
      gateway,
      authenticate,
      log,
      world,
      checks: {
        ...groundChecks(shared),
        store: subgraphs.media.checkStore,
        worker: async () => shared.jobs.healthy(),
      },
      routes: Object.values(subgraphs).map(({ routes }) => routes),
    });
    const app = later(front, closeServer);

    await shared.jobs.work();
    await app.listen({ port: config.port, host: config.host });
    later(await tellAddresses(config, world.env), (told) => told.forget());
    return { publicUrl: config.publicUrl, welcome: welcomeOf({ config, parts: world.parts }) };
  });
}
