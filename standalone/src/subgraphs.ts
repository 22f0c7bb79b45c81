import { createIdentity } from '@foyer/identity/app';
import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { createMedia } from '@foyer/media/app';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openDatabase } from '@foyer/prisma/client';
import { deployMigrations } from '@foyer/prisma/migrate';
import { systemClock } from '@foyer/shared/clock';
import { openJobs, type Watchfulness } from '@foyer/shared/jobs';
import type { Log } from '@foyer/shared/log';
import { openNotices } from '@foyer/shared/notices';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import type { Config } from './config.ts';
import { customerDirectory } from './customer-directory.ts';
import type { World } from './embedded-world.ts';
import type { Later } from './unwinding.ts';

/** How long jobs may take to end. */
const DRAIN_MS = 6_000;

type Shared = Awaited<ReturnType<typeof openShared>>;
type Subgraphs = Awaited<ReturnType<typeof openSubgraphs>>;

interface SharedAt {
  later: Later;
  databaseUrl: string;
  log: Log;
  watchfulness?: Watchfulness;
  /** No job is done here, and none is looked after. */
  asksOnly?: boolean;
}

/** The database at the newest migration, and what all rooms share on it. */
export async function openShared({ later, databaseUrl, log, watchfulness, asksOnly = false }: SharedAt) {
  await deployMigrations(databaseUrl);
  const db = later(openDatabase(databaseUrl), (open) => open.$disconnect());
  const jobs = later(await openJobs({ databaseUrl, log, watchfulness, asksOnly }), (open) => open.stop(DRAIN_MS));
  const notices = later(openNotices({ databaseUrl, log }), (open) => open.stop());
  return { db, jobs, notices, log, clock: systemClock };
}

/** The three subgraphs on what they share. @throws {ConfigError} naming the variable that can't be used */
export async function openSubgraphs({ later, shared, env }: { later: Later; shared: Shared; env: NodeJS.ProcessEnv }) {
  const config = {
    identity: readIdentityConfig(env),
    ticketing: readTicketingConfig(env),
    media: readMediaConfig(env),
  };
  const provider = identityProvider({ ...config.identity.identityProvider, log: shared.log });
  const identity = later(
    await createIdentity({ ...shared, config: config.identity, identityProvider: provider }),
    (open) => open.stop(),
  );
  const { permissions, authenticate } = identity;
  const ticketing = later(
    await createTicketing({
      ...shared,
      config: config.ticketing,
      permissions,
      customerDirectory: customerDirectory(provider),
    }),
    (open) => open.stop(),
  );
  const media = later(await createMedia({ ...shared, config: config.media, permissions, authenticate }), (open) =>
    open.stop(),
  );
  return { identity, ticketing, media };
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
  world: Pick<World, 'streamer'>;
  config: Pick<Config, 'seedDemo' | 'demoPassword'>;
}): Promise<void> {
  for (const subgraph of Object.values(subgraphs)) await shared.jobs.register(subgraph.workers);
  await subgraphs.identity.startUp();
  await subgraphs.media.seed({ streamer: world.streamer, demo: config.seedDemo });
  await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });
}
