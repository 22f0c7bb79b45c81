import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import proxy from '@fastify/http-proxy';
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
import { answerErrors, answerFrameworkError } from '@foyer/shared/http';
import { openJobs } from '@foyer/shared/jobs';
import { openLog } from '@foyer/shared/log';
import { openNotices } from '@foyer/shared/notices';
import { createTicketing } from '@foyer/ticketing/app';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import Fastify, { type FastifyBaseLogger } from 'fastify';

import { closeServer } from './close-server.ts';
import { readConfig } from './config.ts';
import { customerDirectory } from './customer-directory.ts';
import { openDataDir } from './data-dir.ts';
import { mountDocs } from './docs.ts';
import { openWorld } from './embedded-world.ts';
import { mountHealth } from './health.ts';
import { assertPortIsFree } from './port.ts';
import { keptSecrets } from './secrets.ts';
import { mountStartPage } from './start-page.ts';
import { unwinding } from './unwinding.ts';
import { mayUpgrade } from './upgrades.ts';

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
  const loggerInstance: FastifyBaseLogger = log;
  await assertPortIsFree(config.port, config.host);

  return unwinding(async (later) => {
    const dataDir = later(await openDataDir(config.dataDir), (held) => held.release());
    const secrets = config.production ? undefined : await keptSecrets(dataDir.folder('secrets.json'));
    const given: NodeJS.ProcessEnv = {
      ...secrets,
      ...defaultAddresses(config, dataDir.folder('media')),
      ...processEnv,
    };
    const restConfig = readRestConfig(given);
    const gatewayConfig = readGatewayConfig(given);

    const world = later(await openWorld(config, dataDir, secrets), (open) => open.stop());
    const env = { ...world.env, ...given };
    const identityConfig = readIdentityConfig(env);
    const ticketingConfig = readTicketingConfig(env);
    const mediaConfig = readMediaConfig(env);

    const databaseUrl = env['DATABASE_URL'] ?? '';
    await deployMigrations(databaseUrl);
    const db = later(openDatabase(databaseUrl), (open) => open.$disconnect());
    const jobs = later(await openJobs({ databaseUrl, log }), (open) => open.stop(DRAIN_MS));
    const notices = later(openNotices({ databaseUrl, log }), (open) => open.stop());
    const shared = { db, jobs, log, events: inProcessEvents(), clock: systemClock };

    const provider = identityProvider({ ...identityConfig.identityProvider, log });
    const identity = later(
      await createIdentity({ ...shared, notices, config: identityConfig, identityProvider: provider }),
      (open) => open.stop(),
    );
    const { permissions, authenticate } = identity;
    const subgraphs = {
      identity,
      ticketing: later(
        await createTicketing({
          ...shared,
          config: ticketingConfig,
          permissions,
          customerDirectory: customerDirectory(provider),
        }),
        (open) => open.stop(),
      ),
      media: later(await createMedia({ ...shared, config: mediaConfig, permissions, authenticate }), (open) =>
        open.stop(),
      ),
    };
    for (const subgraph of Object.values(subgraphs)) await jobs.register(subgraph.workers);
    await identity.startUp();
    await subgraphs.media.seed({ streamer: world.streamer, demo: config.seedDemo });
    await subgraphs.ticketing.seed({ demoPassword: config.seedDemo ? config.demoPassword : undefined });

    const supergraphSdl = await readFile(join(import.meta.dirname, '../../gateway/supergraph.graphql'), 'utf8');
    const gateway = later(
      await createGateway({
        supergraphSdl,
        subgraphs,
        authenticate,
        config: gatewayConfig,
        log,
        clock: systemClock,
        examples: foyerExamples(),
      }),
      (open) => open.stop(),
    );

    const app = later(
      Fastify({
        loggerInstance,
        genReqId: () => crypto.randomUUID(),
        frameworkErrors: answerFrameworkError,
        http: { shouldUpgradeCallback: mayUpgrade(['/graphql', '/sim/inbox']) },
        trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
        routerOptions: { ignoreTrailingSlash: true },
        requestTimeout: 0, // a long upload is one long request; slow headers are cut off by Node
        forceCloseConnections: 'idle',
      }),
      (open) => closeServer(open, ANSWER_MS),
    );
    answerErrors(app, log);
    mountHealth(app, { db, jobs, migrationsMissing: () => missingMigrations(db) });
    mountDocs(app);
    const welcome = mountStartPage(app, { config, parts: world.parts });
    for (const { prefix, upstream } of world.doors) {
      await app.register(proxy, {
        prefix,
        upstream,
        rewritePrefix: prefix === '/sim/inbox' ? prefix : '',
        websocket: prefix === '/sim/inbox',
      });
    }
    await app.register(createRestCompat({ execute: gateway.execute, authenticate, config: restConfig, log }));
    for (const subgraph of Object.values(subgraphs)) await app.register(subgraph.routes);
    await app.register(gateway.routes);

    await jobs.work();
    await app.listen({ port: config.port, host: config.host });
    return { publicUrl: config.publicUrl, welcome };
  });
}

const defaultAddresses = ({ publicUrl }: { publicUrl: string }, mediaDir: string) => ({
  PUBLIC_URL: publicUrl,
  AUTH_BASE_URL: publicUrl,
  ASSET_BASE_URL: publicUrl,
  MEDIA_DIR: mediaDir,
});
