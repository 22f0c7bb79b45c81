import { openAuthentication } from '@foyer/identity/authentication';
import { readAuthenticationConfig, readCustomerDirectoryConfig } from '@foyer/identity/config';
import { readAll } from '@foyer/shared/config/config';
import { mountHealth, type Checks } from '@foyer/shared/http/health';
import { openLog } from '@foyer/shared/telemetry/log';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { openContextVerifier } from '@foyer/shared/graphql/signed-context';
import type { Subgraph, SubgraphName } from '@foyer/shared/graphql/subgraph';

import { readers } from '../composition/configuration.ts';
import { createHttpServer } from '../composition/http-server.ts';
import { infrastructureChecks } from '../composition/health.ts';
import { openIdentity, openMedia, openShared, openTicketing, type SubgraphOptions } from '../composition/subgraphs.ts';
import { openTraces } from '../composition/tracing.ts';
import { readSubgraphProcessConfig } from './config.ts';
import { listen } from './listen.ts';
import { assertRoutesAreForwarded, routesMountedOn } from './forwarded-routes.ts';
import { subgraphEndpoint } from './subgraph-endpoint.ts';

/** A gateway holds one connection for each stream that is not shared; it limits what clients may open. */
const CONNECTIONS = 100_000;

interface Opened {
  subgraph: Subgraph;
  /** Health checks besides those of the infrastructure. */
  checks?: Checks;
}

async function openAuthenticationAt({ stack, shared, env }: SubgraphOptions) {
  const config = readAuthenticationConfig(env);
  return stack.adopt(await openAuthentication({ ...shared, config }), (open) => open.stop());
}

const openers: Readonly<Record<SubgraphName, (at: SubgraphOptions) => Promise<Opened>>> = {
  async identity(at) {
    const identity = await openIdentity(at);
    await identity.startUp();
    return { subgraph: identity };
  },
  async ticketing(at) {
    return { subgraph: await openTicketing(at, await openAuthenticationAt(at)) };
  },
  async media(at) {
    const media = await openMedia(at, await openAuthenticationAt(at));
    return { subgraph: media, checks: { store: media.checkStore } };
  },
};

/** What each subgraph reads of its environment. */
const readersOf: Readonly<Record<SubgraphName, readonly ((env: NodeJS.ProcessEnv) => unknown)[]>> = {
  identity: [readers.identity],
  ticketing: [readers.ticketing, readAuthenticationConfig, readCustomerDirectoryConfig],
  media: [readers.media, readAuthenticationConfig],
};

/**
 * Starts a process that serves one subgraph to gateways: GraphQL for requests with their signature, and its HTTP routes,
 * which verify tokens themselves. It enqueues background jobs and runs none.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startSubgraphProcess(name: SubgraphName, env: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack();
  readAll([() => readSubgraphProcessConfig(env), ...readersOf[name].map((read) => () => read(env))]);
  const config = readSubgraphProcessConfig(env);
  const log = openLog(config.logLevel);
  stack.adopt(await openTraces(env, { name: `foyer-${name}`, log }), (open) => open.stop());
  const shared = await openShared({ ...config, stack, log, enqueueOnly: true });
  const { subgraph, checks } = await openers[name]({ stack, shared, env });

  const app = await createHttpServer(config, log, { limits: { ...serverLimits, connections: CONNECTIONS } });
  mountHealth(app, { ...infrastructureChecks(shared), ...checks });
  await app.register(async (own) => {
    const routes = routesMountedOn(own);
    await own.register(subgraph.routes);
    assertRoutesAreForwarded(name, routes);
  });
  const verifyContext = openContextVerifier({ publicKeys: config.viewerKeys, subgraph: name, clock: shared.clock });
  await app.register(subgraphEndpoint({ subgraph, verifyContext, log }));
  return await listen(app, config, stack);
}
