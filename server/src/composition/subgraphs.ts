import { openEventRelay } from '@foyer/shared/events/relay';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';

import type { Config } from '../config.ts';
import type { EmbeddedServices } from '../embedded/embedded-services.ts';
import { DRAIN_MS, type Shared, type SubgraphOptions } from './infrastructure.ts';
import { openIdentity, startUpIdentity } from './open-identity.ts';
import { openMedia } from './open-media.ts';
import { openTicketing } from './open-ticketing.ts';

type Subgraphs = Awaited<ReturnType<typeof openSubgraphs>>;

interface RelayOptions {
  stack: AsyncDisposableStack;
  databaseUrl: string;
  shared: Pick<Shared, 'redis' | 'log'>;
  subgraphs: Readonly<Record<string, Pick<Subgraph, 'channels'>>>;
}

/** Publishes the events of the database in Redis, where one is configured. For processes that do background work. */
export function relayEvents({ stack, databaseUrl, shared: { redis, log }, subgraphs }: RelayOptions): void {
  if (!redis) return;
  const channels = Object.values(subgraphs).flatMap((subgraph) => subgraph.channels);
  stack.adopt(openEventRelay({ databaseUrl, redis, channels, log }), (open) => open.stop());
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
  await startUpIdentity(subgraphs.identity);
  await subgraphs.media.seed({ streamer: embedded.streamer, demo: config.seedDemo });
  await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });
}
