import { mountHealth } from '@foyer/shared/http/health';
import { openLog } from '@foyer/shared/telemetry/log';

import { createFrontDoor } from '../front-door.ts';
import { groundChecks } from '../health.ts';
import { openShared, openSubgraphs, relayNotices, startUp } from '../subgraphs.ts';
import { openTraces } from '../tracing.ts';
import { unwinding } from '../unwinding.ts';
import { readWorkerConfig } from './config.ts';
import { listen } from './listen.ts';

/**
 * A process that does the background work of all subgraphs, and serves nobody but whoever looks after it.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export const openWorkerProcess = (env: NodeJS.ProcessEnv) =>
  unwinding(async (later) => {
    const config = readWorkerConfig(env);
    const log = openLog(config.logLevel);
    later(await openTraces(env, { name: 'foyer-worker', log }), (open) => open.stop());
    const shared = await openShared({ ...config, later, log, watchfulness: config.jobs });
    const subgraphs = await openSubgraphs({ later, shared, env });
    const { world } = config;
    // On one machine nobody has done that before; elsewhere `foyer seed` has.
    if (world) await startUp({ subgraphs, shared, world, config });
    else for (const { workers } of Object.values(subgraphs)) await shared.jobs.register(workers);
    relayNotices({ later, databaseUrl: config.databaseUrl, shared, subgraphs });

    const app = await createFrontDoor(config, log);
    mountHealth(app, {
      ...groundChecks(shared),
      store: subgraphs.media.checkStore,
      worker: async () => shared.jobs.healthy(),
    });
    await shared.jobs.work();
    return listen(app, config, later);
  });
