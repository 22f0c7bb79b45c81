import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { openEvents } from '@foyer/shared/events/open-events';
import { openJobs, type Supervision } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import { customerStandingIn, openCustomerStanding } from '@foyer/ticketing/customer-standing';

import { openRedis } from './redis.ts';

/** How long running jobs get to finish at a stop. */
export const DRAIN_MS = 6_000;

export type Shared = Awaited<ReturnType<typeof openShared>>;

interface InfrastructureOptions {
  stack: AsyncDisposableStack;
  databaseUrl: string;
  redisUrl?: string | undefined;
  log: Log;
}

/** Opens what every process with a database needs: that, Redis where one is configured, events, log and clock. */
async function openInfrastructure({ stack, databaseUrl, redisUrl, log }: InfrastructureOptions) {
  const db = stack.adopt(openDatabase(databaseUrl), (open) => open.$disconnect());
  const redis = await openRedis({ stack, redisUrl, log });
  const events = stack.adopt(openEvents({ databaseUrl, redis, log }), (open) => open.stop());
  const customerStandingOf = openCustomerStanding(customerStandingIn({ db }));
  return { db, redis, events, log, clock: systemClock, customerStandingOf };
}

interface SharedOptions extends InfrastructureOptions {
  supervision?: Supervision;
  /** Only enqueues jobs: this process neither runs nor supervises any. */
  enqueueOnly?: boolean;
}

/** Opens what the subgraphs share, on a database that answers: the infrastructure and the job queue. */
export async function openShared({ supervision, enqueueOnly = false, ...at }: SharedOptions) {
  const { stack, databaseUrl, log } = at;
  const infrastructure = await openInfrastructure(at);
  const jobs = stack.adopt(await openJobs({ databaseUrl, log, supervision, enqueueOnly }), (open) =>
    open.stop(DRAIN_MS),
  );
  return { ...infrastructure, jobs };
}

export interface SubgraphOptions {
  stack: AsyncDisposableStack;
  shared: Shared;
  env: NodeJS.ProcessEnv;
}
