import { openAuthentication } from '@foyer/identity/authentication';
import { readAuthenticationConfig } from '@foyer/identity/config';
import { mountHealth, type Checks } from '@foyer/shared/http/health';
import { openLog } from '@foyer/shared/telemetry/log';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { openRecognition } from '@foyer/shared/auth/signed-viewer';
import type { Subgraph, SubgraphName } from '@foyer/shared/graphql/subgraph';

import { createFrontDoor } from '../front-door.ts';
import { groundChecks } from '../health.ts';
import { openIdentity, openMedia, openShared, openTicketing, type SubgraphAt } from '../subgraphs.ts';
import { openTraces } from '../tracing.ts';
import { unwinding } from '../unwinding.ts';
import { readSubgraphProcessConfig } from './config.ts';
import { listen } from './listen.ts';
import { assertDoorsAreKnown, routesMountedOn } from './subgraph-doors.ts';
import { subgraphRoutes } from './subgraph-routes.ts';

/** Gateways hold one for each stream that nobody shares: what clients may have is limited there. */
const CONNECTIONS = 100_000;

interface Opened {
  subgraph: Subgraph;
  /** What it needs besides the database. */
  checks?: Checks;
}

async function openAuthenticationAt({ later, shared, env }: SubgraphAt) {
  const config = readAuthenticationConfig(env);
  return later(await openAuthentication({ ...shared, config }), (open) => open.stop());
}

const openers: Readonly<Record<SubgraphName, (at: SubgraphAt) => Promise<Opened>>> = {
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

/**
 * A process that serves one subgraph to gateways: GraphQL for whoever shows their signature, and its binary routes,
 * which verify tokens themselves. It asks for background work and does none.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export const openSubgraphProcess = (name: SubgraphName, env: NodeJS.ProcessEnv) =>
  unwinding(async (later) => {
    const config = readSubgraphProcessConfig(env);
    const log = openLog(config.logLevel);
    later(await openTraces(env, { name: `foyer-${name}`, log }), (open) => open.stop());
    const shared = await openShared({ ...config, later, log, asksOnly: true });
    const { subgraph, checks } = await openers[name]({ later, shared, env });

    const app = await createFrontDoor(config, log, { limits: { ...serverLimits, connections: CONNECTIONS } });
    mountHealth(app, { ...groundChecks(shared), ...checks });
    await app.register(async (own) => {
      const routes = routesMountedOn(own);
      await own.register(subgraph.routes);
      assertDoorsAreKnown(name, routes);
    });
    const recognize = openRecognition({ publicKeys: config.viewerKeys, subgraph: name, clock: shared.clock });
    await app.register(subgraphRoutes({ subgraph, recognize, log }));
    return listen(app, config, later);
  });
