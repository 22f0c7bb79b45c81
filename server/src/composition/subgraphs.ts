import { createIdentity } from '@foyer/identity/app';
import type { Authentication } from '@foyer/identity/authentication';
import { readConfig as readIdentityConfig, readCustomerDirectoryConfig } from '@foyer/identity/config';
import { customerDirectory } from '@foyer/identity/customer-directory';
import { createMedia } from '@foyer/media/app';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openMediaDirectory } from '@foyer/media/media-directory';
import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { openJobs, type Supervision } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';
import { openEventRelay } from '@foyer/shared/events/relay';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { customerStandingIn, openCustomerStanding } from '@foyer/ticketing/customer-standing';
import { openReceiptStore } from '@foyer/ticketing/stores';

import type { Config } from '../config.ts';
import type { EmbeddedServices } from '../embedded/embedded-services.ts';

/** How long running jobs get to finish at a stop. */
const DRAIN_MS = 6_000;

type Shared = Awaited<ReturnType<typeof openShared>>;
type Subgraphs = Awaited<ReturnType<typeof openSubgraphs>>;

interface InfrastructureOptions {
  stack: AsyncDisposableStack;
  databaseUrl: string;
  redisUrl?: string | undefined;
  log: Log;
}

/** Opens what every process with a database needs: that, Redis where one is configured, events, log and clock. */
async function openInfrastructure({ stack, databaseUrl, redisUrl, log }: InfrastructureOptions) {
  await assertDatabaseAnswers(databaseUrl);
  const db = stack.adopt(openDatabase(databaseUrl), (open) => open.$disconnect());
  const redis = await openRedis({ stack, redisUrl, log });
  const events = stack.adopt(openEvents({ databaseUrl, redis, log }), (open) => open.stop());
  const customerStandingOf = openCustomerStanding(customerStandingIn({ db }));
  return { db, redis, events, log, clock: systemClock, customerStandingOf };
}

type RedisOptions = Pick<InfrastructureOptions, 'stack' | 'redisUrl' | 'log'>;

/** Loads the Redis client only where Redis is configured. */
export async function openRedis({ stack, redisUrl: url, log }: RedisOptions) {
  if (url === undefined) return undefined;
  const library = await import('@foyer/shared/events/redis');
  return stack.adopt(library.openRedis({ url, log }), (open) => open.stop());
}

interface RelayOptions extends Pick<InfrastructureOptions, 'stack' | 'databaseUrl'> {
  shared: Pick<Shared, 'redis' | 'log'>;
  subgraphs: Readonly<Record<string, Pick<Subgraph, 'channels'>>>;
}

/** Publishes the events of the database in Redis, where one is configured. For processes that do background work. */
export function relayEvents({ stack, databaseUrl, shared: { redis, log }, subgraphs }: RelayOptions): void {
  if (!redis) return;
  const channels = Object.values(subgraphs).flatMap((subgraph) => subgraph.channels);
  stack.adopt(openEventRelay({ databaseUrl, redis, channels, log }), (open) => open.stop());
}

interface SharedOptions extends InfrastructureOptions {
  supervision?: Supervision;
  /** Only enqueues jobs: this process neither runs nor supervises any. */
  enqueueOnly?: boolean;
}

/** Opens what the subgraphs share: the infrastructure and the job queue. */
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

/** @throws {ConfigError} naming the variable that can't be used */
export const openIdentity = async ({ stack, shared, env }: SubgraphOptions) =>
  stack.adopt(await createIdentity({ ...shared, config: readIdentityConfig(env) }), (open) => open.stop());

/** @throws {ConfigError} naming the variable that can't be used */
export async function openTicketing(
  { stack, shared, env }: SubgraphOptions,
  { permissions, rights }: Pick<Authentication, 'permissions' | 'rights'>,
) {
  const config = readTicketingConfig(env);
  const ticketing = await createTicketing({
    ...shared,
    config,
    permissions,
    rights,
    mediaDirectory: openMediaDirectory({ db: shared.db, permissions }),
    customerDirectory: customerDirectory({ ...shared, config: readCustomerDirectoryConfig(env) }),
    receiptStore: await openReceiptStore(config),
  });
  return stack.adopt(ticketing, (open) => open.stop());
}

/** @throws {ConfigError} naming the variable that can't be used */
export async function openMedia(
  { stack, shared, env }: SubgraphOptions,
  { permissions, rights, authenticate }: Pick<Authentication, 'permissions' | 'rights' | 'authenticate'>,
) {
  const media = await createMedia({ ...shared, config: readMediaConfig(env), permissions, rights, authenticate });
  return stack.adopt(media, (open) => open.stop());
}

/** Opens the three subgraphs in one process. @throws {ConfigError} naming the variable that can't be used */
export async function openSubgraphs(at: SubgraphOptions) {
  const identity = await openIdentity(at);
  const all = { identity, ticketing: await openTicketing(at, identity), media: await openMedia(at, identity) };
  // Jobs must end before the mailer, the printer and the folder that they use are closed.
  at.stack.adopt(at.shared.jobs, (jobs) => jobs.drain(DRAIN_MS));
  return all;
}

/** Registers the workers, runs the start-up of the subgraphs and seeds them: all that precedes the first request. */
export async function startUp({
  subgraphs,
  shared,
  embedded,
  config,
}: {
  subgraphs: Subgraphs;
  shared: Shared;
  /** Where the embedded streamer node listens, if there is one. */
  embedded: { streamer?: EmbeddedServices['streamer'] | undefined };
  config: Pick<Config, 'seedDemo' | 'demoPassword'>;
}): Promise<void> {
  for (const subgraph of Object.values(subgraphs)) await shared.jobs.register(subgraph.workers);
  await subgraphs.identity.startUp();
  await subgraphs.media.seed({ streamer: embedded.streamer, demo: config.seedDemo });
  await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });
}
