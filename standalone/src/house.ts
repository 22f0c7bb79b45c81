import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createGateway, foyerExamples } from '@foyer/gateway/app';
import { readConfig as readGatewayConfig } from '@foyer/gateway/config';
import { createIdentity } from '@foyer/identity/app';
import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { createMedia } from '@foyer/media/app';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openDatabase } from '@foyer/prisma/client';
import { deployMigrations, missingMigrations } from '@foyer/prisma/migrate';
import { createRestCompat } from '@foyer/rest-compat/app';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { systemClock } from '@foyer/shared/clock';
import { inProcessEvents } from '@foyer/shared/events';
import { openJobs } from '@foyer/shared/jobs';
import { openLog, type Log } from '@foyer/shared/log';
import { openNotices } from '@foyer/shared/notices';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import { closeServer } from './close-server.ts';
import { readConfig, type Config } from './config.ts';
import { customerDirectory } from './customer-directory.ts';
import { openDataDir } from './data-dir.ts';
import { mountDocs } from './docs.ts';
import { openWorld, type World } from './embedded-world.ts';
import { createFrontDoor, mountDoors } from './front-door.ts';
import { mountHealth } from './health.ts';
import { assertPortIsFree } from './port.ts';
import { keptSecrets } from './secrets.ts';
import { mountStartPage } from './start-page.ts';
import { unwinding, type Later } from './unwinding.ts';

/** How long requests, and then jobs, may take to end. */
const ANSWER_MS = 2_000;
const DRAIN_MS = 6_000;

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
    const dataDir = later(await openDataDir(config.dataDir), (held) => held.release());
    const secrets = config.production ? undefined : await keptSecrets(dataDir.folder('secrets.json'));
    const given: NodeJS.ProcessEnv = {
      ...secrets,
      ...defaultAddresses(config, dataDir.folder('media')),
      ...processEnv,
    };
    const configs = { rest: readRestConfig(given), gateway: readGatewayConfig(given) };

    const world = later(await openWorld(config, dataDir, secrets), (open) => open.stop());
    const shared = await openShared({ later, databaseUrl: world.env['DATABASE_URL'] ?? config.databaseUrl ?? '', log });
    const subgraphs = await openSubgraphs({ later, shared, env: { ...world.env, ...given } });
    await startUp({ subgraphs, shared, world, config });

    const { authenticate } = subgraphs.identity;
    const gateway = later(
      await createGateway({
        supergraphSdl: await readFile(join(import.meta.dirname, '../../gateway/supergraph.graphql'), 'utf8'),
        subgraphs,
        authenticate,
        config: configs.gateway,
        log,
        clock: shared.clock,
        examples: foyerExamples(),
      }),
      (open) => open.stop(),
    );

    const app = later(createFrontDoor(config, log), (open) => closeServer(open, ANSWER_MS));
    const { checkStore } = subgraphs.media;
    mountHealth(app, { ...shared, checkStore, migrationsMissing: () => missingMigrations(shared.db) });
    mountDocs(app);
    const welcome = mountStartPage(app, { config, parts: world.parts });
    await mountDoors(app, world.doors);
    await app.register(createRestCompat({ execute: gateway.execute, authenticate, config: configs.rest, log }));
    for (const subgraph of Object.values(subgraphs)) await app.register(subgraph.routes);
    await app.register(gateway.routes);

    await shared.jobs.work();
    await app.listen({ port: config.port, host: config.host });
    return { publicUrl: config.publicUrl, welcome };
  });
}

type Shared = Awaited<ReturnType<typeof openShared>>;
type Subgraphs = Awaited<ReturnType<typeof openSubgraphs>>;

/** The database at the newest migration, and what all rooms share on it. */
async function openShared({ later, databaseUrl, log }: { later: Later; databaseUrl: string; log: Log }) {
  await deployMigrations(databaseUrl);
  const db = later(openDatabase(databaseUrl), (open) => open.$disconnect());
  const jobs = later(await openJobs({ databaseUrl, log }), (open) => open.stop(DRAIN_MS));
  const notices = later(openNotices({ databaseUrl, log }), (open) => open.stop());
  return { db, jobs, notices, log, events: inProcessEvents(), clock: systemClock };
}

async function openSubgraphs({ later, shared, env }: { later: Later; shared: Shared; env: NodeJS.ProcessEnv }) {
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
async function startUp({
  subgraphs,
  shared,
  world,
  config,
}: {
  subgraphs: Subgraphs;
  shared: Shared;
  world: World;
  config: Config;
}): Promise<void> {
  for (const subgraph of Object.values(subgraphs)) await shared.jobs.register(subgraph.workers);
  await subgraphs.identity.startUp();
  await subgraphs.media.seed({ streamer: world.streamer, demo: config.seedDemo });
  await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });
}

const defaultAddresses = ({ publicUrl }: { publicUrl: string }, mediaDir: string) => ({
  PUBLIC_URL: publicUrl,
  AUTH_BASE_URL: publicUrl,
  ASSET_BASE_URL: publicUrl,
  MEDIA_DIR: mediaDir,
});
