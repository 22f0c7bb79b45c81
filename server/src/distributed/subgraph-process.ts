import { openAuthentication, type Authentication } from '@foyer/identity/authentication';
import { readAuthenticationConfig } from '@foyer/identity/config';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { mountHealth, type Checks } from '@foyer/shared/http/health';
import { openLog } from '@foyer/shared/telemetry/log';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { openContextVerifier } from '@foyer/shared/graphql/signed-context';
import type { Subgraph, SubgraphName } from '@foyer/shared/graphql/subgraph';
import { customerStandingIn } from '@foyer/ticketing/customer-standing';

import { createHttpServer } from '../composition/http-server.ts';
import { infrastructureChecks } from '../composition/health.ts';
import { openShared, type SubgraphOptions } from '../composition/infrastructure.ts';
import { permissionPolicies } from '../composition/policies.ts';
import { openTraces } from '../composition/tracing.ts';
import { readSubgraphProcessConfig } from './config.ts';
import { edgeEndpoint } from './edge-endpoint.ts';
import { listen } from './listen.ts';
import { assertRoutesAreForwarded, routesMountedOn } from './forwarded-routes.ts';
import { assertConfigured } from './roles.ts';
import { subgraphEndpoint } from './subgraph-endpoint.ts';

/** A gateway holds one connection for each stream that is not shared; it limits what clients may open. */
const CONNECTIONS = 100_000;

interface Opened {
  subgraph: Subgraph;
  /** What gateways ask about their callers. */
  authentication: Pick<Authentication, 'records' | 'permissions'>;
  /** Health checks besides those of the infrastructure. */
  checks?: Checks;
}

async function openAuthenticationAt({ stack, shared, env }: SubgraphOptions) {
  const config = readAuthenticationConfig(env);
  return stack.adopt(await openAuthentication({ ...shared, config }), (open) => open.stop());
}

/** Each process loads its own subgraph only. */
const openers: Readonly<Record<SubgraphName, (at: SubgraphOptions) => Promise<Opened>>> = {
  async identity(at) {
    const { openIdentity, startUpIdentity } = await import('../composition/open-identity.ts');
    const identity = await openIdentity(at);
    await startUpIdentity(identity);
    return { subgraph: identity, authentication: identity };
  },
  async ticketing(at) {
    const { openTicketing } = await import('../composition/open-ticketing.ts');
    const authentication = await openAuthenticationAt(at);
    return { subgraph: await openTicketing(at, authentication), authentication };
  },
  async media(at) {
    const { openMedia } = await import('../composition/open-media.ts');
    const authentication = await openAuthenticationAt(at);
    const media = await openMedia(at, authentication);
    return { subgraph: media, authentication, checks: { store: media.checkStore } };
  },
};

const recordsOf = ({ records, permissions }: Opened['authentication'], { db }: SubgraphOptions['shared']) => ({
  tokens: records,
  readCustomerStanding: customerStandingIn({ db }),
  evaluatePolicies: permissionPolicies(permissions),
});

/**
 * Starts a process that serves one subgraph to gateways: GraphQL for requests with their signature, and its HTTP routes,
 * which verify tokens themselves. It enqueues background jobs and runs none.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startSubgraphProcess(name: SubgraphName, env: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack();
  assertConfigured(name, env);
  const config = readSubgraphProcessConfig(env);
  const log = openLog(config.logLevel);
  stack.adopt(await openTraces(env, { name: `foyer-${name}`, log }), (open) => open.stop());
  await assertDatabaseAnswers(config.databaseUrl);
  const shared = await openShared({ ...config, stack, log, enqueueOnly: true });
  const { subgraph, authentication, checks } = await openers[name]({ stack, shared, env });

  const app = await createHttpServer(config, log, { limits: { ...serverLimits, connections: CONNECTIONS } });
  mountHealth(app, { ...infrastructureChecks(shared), ...checks });
  await app.register(async (own) => {
    const routes = routesMountedOn(own);
    await own.register(subgraph.routes);
    assertRoutesAreForwarded(name, routes);
  });
  const verifyContext = openContextVerifier({ publicKeys: config.viewerKeys, subgraph: name, clock: shared.clock });
  await app.register(subgraphEndpoint({ subgraph, verifyContext, log }));
  await app.register(edgeEndpoint({ records: recordsOf(authentication, shared), verifyContext }));
  return await listen(app, config, stack);
}
