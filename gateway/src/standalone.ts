import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

import type { Authenticate } from '@foyer/shared/auth/authentication';
import { systemClock } from '@foyer/shared/clock';
import { closeServer, halvesOf } from '@foyer/shared/http/close-server';
import { mountHealth } from '@foyer/shared/http/health';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers/browsers';
import { answerErrors } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { openRedis } from '@foyer/shared/events/redis';
import { headLimits, holdToLimits, serverLimits } from '@foyer/shared/http/server-limits';
import Fastify from 'fastify';

import { createGateway, type Gateway } from './app.ts';
import { jwtAuthenticate } from './authentication/authenticate.ts';
import { cannotListen } from './command-line.ts';
import { assertNamesKnown } from './configuration-file/known-names.ts';
import type { Settings } from './configuration-file/settings.ts';

interface Needs {
  settings: Settings;
  supergraphSdl: string;
  log: Log;
}

/** A standalone gateway over subgraphs on the network. */
export interface Standalone {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves any supergraph: subgraphs are called at the addresses that it names, or that the settings name instead.
 *
 * @throws {ConfigError} when the settings name what the supergraph does not have, such as a subgraph
 */
export async function openStandalone({ settings, supergraphSdl, log }: Needs): Promise<Standalone> {
  const { config, standalone, addresses, browsers, jwt } = settings;
  const redis = standalone.redisUrl === undefined ? undefined : openRedis({ url: standalone.redisUrl, log });
  const gateway = await createGateway({
    supergraphSdl,
    subgraphs: {},
    remote: { addresses },
    redis,
    authenticate: jwt ? jwtAuthenticate(jwt, { clock: systemClock, log }) : nobody,
    config,
    log,
    clock: systemClock,
  });
  assertNamesKnown(settings, supergraphSdl);
  const rules = serverForBrowsers(browsers);
  const app = Fastify({
    ...observedServer({ log, trustedProxies: config.trustedProxies }),
    forceCloseConnections: 'idle',
    clientErrorHandler: rules.clientErrorHandler,
    frameworkErrors: rules.frameworkErrors,
    connectionTimeout: serverLimits.idleMs,
    http: { ...headLimits(serverLimits), shouldUpgradeCallback: rules.shouldUpgradeCallback },
  });
  observe(app, log);
  await holdBrowsersTo(app, browsers);
  holdToLimits(app, serverLimits);
  answerErrors(app, log);
  mountHealth(app, {}, settings.healthPath);
  await app.register(gateway.routes);
  const { port, host } = standalone;
  await app.listen({ port, host }).catch((error: unknown) => {
    throw cannotListen(error, { port, host, keys: settings.keys });
  });
  const unwatch = reloadOnChange(settings.supergraphFile, supergraphSdl, gateway, {
    log,
    everyMs: standalone.reloadMs,
  });
  const address = app.server.address() as AddressInfo;

  return {
    url: `http://${host}:${address.port}/graphql`,
    async stop() {
      unwatch();
      await closeServer(app, { drainMs: config.drainMs, ...halvesOf(standalone.shutdownDelayMs) });
      await gateway.stop();
      redis?.stop();
    },
  };
}

/** The credentials are for the subgraphs alone, which get them where a header rule forwards them. */
const nobody: Authenticate = async () => ({ viewer: null, by: 'nothing' });

/**
 * Polls the file: events of the file system are not sent for a file that is replaced, mounted or linked. An invalid
 * supergraph is logged, and the last one stays in use.
 */
function reloadOnChange(
  file: string,
  first: string,
  gateway: Gateway,
  { log, everyMs }: { log: Log; everyMs: number },
): () => void {
  let served = first;

  async function look() {
    const sdl = await readFile(file, 'utf8');
    if (sdl === served) return;
    gateway.reload(sdl);
    served = sdl;
    log.info({ file }, 'serving another supergraph');
  }
  const listener = () => {
    look().catch((error: unknown) => log.error({ err: error, file }, 'the supergraph can not be used'));
  };
  watchFile(file, { interval: everyMs }, listener);
  listener(); // it may have changed since it was read
  return () => unwatchFile(file, listener);
}
