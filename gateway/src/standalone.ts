import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

import type { Authenticate } from '@foyer/shared/auth/authentication';
import { systemClock } from '@foyer/shared/clock';
import { closeServer } from '@foyer/shared/http/close-server';
import { mountHealth } from '@foyer/shared/http/health';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers';
import { answerErrors } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { observe, observedServer } from '@foyer/shared/http/observed-server';
import { openRedis } from '@foyer/shared/events/redis';
import { headLimits, holdToLimits, serverLimits } from '@foyer/shared/http/server-limits';
import Fastify from 'fastify';

import { createGateway, type Gateway } from './app.ts';
import type { Config, StandaloneConfig } from './config.ts';

interface Needs {
  /** Where the supergraph came from; it is looked at again and again. */
  file: string;
  supergraphSdl: string;
  config: Config;
  standalone: StandaloneConfig;
  log: Log;
}

/** A gateway of its own, over subgraphs on the network. */
export interface Standalone {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves any supergraph: subgraphs are called at the addresses that it names. Who asks is none of this
 * gateway's business; credentials are passed on to the subgraphs as far as `FORWARD_HEADERS` names them.
 */
export async function openStandalone({ file, supergraphSdl, config, standalone, log }: Needs): Promise<Standalone> {
  const redis = standalone.redisUrl === undefined ? undefined : openRedis({ url: standalone.redisUrl, log });
  const gateway = await createGateway({
    supergraphSdl,
    subgraphs: {},
    remote: {},
    redis,
    authenticate: passedOn(config),
    config,
    log,
    clock: systemClock,
  });
  const rules = serverForBrowsers(config);
  const app = Fastify({
    ...observedServer({ log, trustedProxies: config.trustedProxies }),
    forceCloseConnections: 'idle',
    clientErrorHandler: rules.clientErrorHandler,
    frameworkErrors: rules.frameworkErrors,
    connectionTimeout: serverLimits.idleMs,
    http: { ...headLimits(serverLimits), shouldUpgradeCallback: rules.shouldUpgradeCallback },
  });
  observe(app, log);
  await holdBrowsersTo(app, config);
  holdToLimits(app, serverLimits);
  answerErrors(app, log);
  mountHealth(app, {});
  await app.register(gateway.routes);
  await app.listen({ port: standalone.port, host: standalone.host });
  const unwatch = reloadOnChange(file, supergraphSdl, gateway, { log, everyMs: standalone.reloadMs });
  const { port } = app.server.address() as AddressInfo;

  return {
    url: `http://${standalone.host}:${port}/graphql`,
    async stop() {
      unwatch();
      await closeServer(app);
      await gateway.stop();
      redis?.stop();
    },
  };
}

/** Nobody is anybody here; but a cookie that is passed on, with whatever else, must not be used by foreign pages. */
const passedOn =
  ({ subgraphs }: Config): Authenticate =>
  async ({ cookie }) => {
    const counts = cookie !== undefined && subgraphs.forwardHeaders.includes('cookie');
    return { viewer: null, by: counts ? 'cookie' : 'nothing' };
  };

/**
 * Looks at the file itself, not at news of the file system: those don't come for a file that is replaced,
 * mounted or linked. A supergraph that is not valid is logged, and the last one stays.
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
