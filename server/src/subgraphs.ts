import { createIdentity } from '@foyer/identity/app';
import type { Authentication } from '@foyer/identity/authentication';
import { readConfig as readIdentityConfig, readCustomerDirectoryConfig } from '@foyer/identity/config';
import { customerDirectory } from '@foyer/identity/customer-directory';
import { createMedia } from '@foyer/media/app';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openMediaDirectory } from '@foyer/media/media-directory';
import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { openJobs, type Watchfulness } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import { openNotices } from '@foyer/shared/events/events';
import { openNoticeRelay } from '@foyer/shared/events/relay';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { openCustomerStanding } from '@foyer/ticketing/customer-standing';

import type { Config } from './config.ts';
import type { World } from './embedded/embedded-services.ts';
import type { Later } from './unwinding.ts';

/** How long jobs may take to end. */
const DRAIN_MS = 6_000;

type Shared = Awaited<ReturnType<typeof openShared>>;
type Subgraphs = Awaited<ReturnType<typeof openSubgraphs>>;

interface GroundAt {
  later: Later;
  databaseUrl: string;
  redisUrl?: string | undefined;
  log: Log;
}

/** What every process of the house stands on. */
export async function openGround({ later, databaseUrl, redisUrl, log }: GroundAt) {
  const db = later(openDatabase(databaseUrl), (open) => open.$disconnect());
  const redis = redisUrl === undefined ? undefined : later(await openRedis(redisUrl, log), (open) => open.stop());
  const notices = later(openNotices({ databaseUrl, redis, log }), (open) => open.stop());
  const customerStandingOf = openCustomerStanding({ db });
  return { db, redis, notices, log, clock: systemClock, customerStandingOf };
}

/** Its client is loaded only where there is one. */
const openRedis = async (url: string, log: Log) => (await import('@foyer/shared/events/redis')).openRedis({ url, log });

interface RelayAt extends Pick<GroundAt, 'later' | 'databaseUrl'> {
  shared: Pick<Shared, 'redis' | 'log'>;
  subgraphs: Readonly<Record<string, Pick<Subgraph, 'channels'>>>;
}

/** For processes that work in the background: tells in Redis, where there is one, what the database announces. */
export function relayNotices({ later, databaseUrl, shared: { redis, log }, subgraphs }: RelayAt): void {
  if (!redis) return;
  const channels = Object.values(subgraphs).flatMap((subgraph) => subgraph.channels);
  later(openNoticeRelay({ databaseUrl, redis, channels, log }), (open) => open.stop());
}

interface SharedAt extends GroundAt {
  watchfulness?: Watchfulness;
  /** No job is done here, and none is looked after. */
  asksOnly?: boolean;
}

/** The ground, and a way to ask for work: what subgraphs share. */
export async function openShared({ watchfulness, asksOnly = false, ...at }: SharedAt) {
  const { later, databaseUrl, log } = at;
  const ground = await openGround(at);
  const jobs = later(await openJobs({ databaseUrl, log, watchfulness, asksOnly }), (open) => open.stop(DRAIN_MS));
  return { ...ground, jobs };
}

export interface SubgraphAt {
  later: Later;
  shared: Shared;
  env: NodeJS.ProcessEnv;
}

/** @throws {ConfigError} naming the variable that can't be used */
export const openIdentity = async ({ later, shared, env }: SubgraphAt) =>
  later(await createIdentity({ ...shared, config: readIdentityConfig(env) }), (open) => open.stop());

/** @throws {ConfigError} naming the variable that can't be used */
export async function openTicketing(
  { later, shared, env }: SubgraphAt,
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
  });
  return later(ticketing, (open) => open.stop());
}

/** @throws {ConfigError} naming the variable that can't be used */
export async function openMedia(
  { later, shared, env }: SubgraphAt,
  { permissions, rights, authenticate }: Pick<Authentication, 'permissions' | 'rights' | 'authenticate'>,
) {
  const media = await createMedia({ ...shared, config: readMediaConfig(env), permissions, rights, authenticate });
  return later(media, (open) => open.stop());
}

/** The three subgraphs in one process. @throws {ConfigError} naming the variable that can't be used */
export async function openSubgraphs(at: SubgraphAt) {
  const identity = await openIdentity(at);
  const all = { identity, ticketing: await openTicketing(at, identity), media: await openMedia(at, identity) };
  // The jobs end before the mailer, the printer and the folder that they work with.
  at.later(at.shared.jobs, (jobs) => jobs.drain(DRAIN_MS));
  return all;
}

/** Everything that must have happened once before the doors open. */
export async function startUp({
  subgraphs,
  shared,
  world,
  config,
}: {
  subgraphs: Subgraphs;
  shared: Shared;
  /** Where the embedded streamer node listens, where there is one. */
  world: { streamer?: World['streamer'] | undefined };
  config: Pick<Config, 'seedDemo' | 'demoPassword'>;
}): Promise<void> {
  for (const subgraph of Object.values(subgraphs)) await shared.jobs.register(subgraph.workers);
  await subgraphs.identity.startUp();
  await subgraphs.media.seed({ streamer: world.streamer, demo: config.seedDemo });
  await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });
}
