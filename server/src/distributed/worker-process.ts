import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { mountHealth } from '@foyer/shared/http/health';
import { openLog } from '@foyer/shared/telemetry/log';

import { createHttpServer } from '../composition/http-server.ts';
import { infrastructureChecks } from '../composition/health.ts';
import { openShared } from '../composition/infrastructure.ts';
import { assertProgramsAreThere } from '../composition/named-files.ts';
import { openSubgraphs, relayEvents, startUp } from '../composition/subgraphs.ts';
import { openTraces } from '../composition/tracing.ts';
import { readWorkerConfig } from './config.ts';
import { listen } from './listen.ts';
import { assertConfigured } from './roles.ts';

/**
 * Starts a process that runs the background jobs of all subgraphs. It serves only health checks and metrics.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startWorkerProcess(env: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack();
  assertConfigured('worker', env);
  await assertProgramsAreThere(env);
  const config = readWorkerConfig(env);
  const log = openLog(config.logLevel);
  stack.adopt(await openTraces(env, { name: 'foyer-worker', log }), (open) => open.stop());
  await assertDatabaseAnswers(config.databaseUrl);
  const shared = await openShared({ ...config, stack, log, supervision: config.jobs });
  const subgraphs = await openSubgraphs({ stack, shared, env });
  const { embedded } = config;
  // With embedded services this process seeds; elsewhere `foyer seed` has done so.
  if (embedded) await startUp({ subgraphs, shared, embedded, config });
  else for (const { workers } of Object.values(subgraphs)) await shared.jobs.register(workers);
  relayEvents({ stack, databaseUrl: config.databaseUrl, shared, subgraphs });

  const app = await createHttpServer(config, log);
  mountHealth(app, {
    ...infrastructureChecks(shared),
    store: subgraphs.media.checkStore,
    worker: async () => shared.jobs.healthy(),
  });
  await shared.jobs.work();
  return await listen(app, config, stack);
}
