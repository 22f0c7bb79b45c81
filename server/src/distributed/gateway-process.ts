import { openEdgeAuthentication } from '@foyer/identity/authentication';
import { readAuthenticationConfig } from '@foyer/identity/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { systemClock as clock } from '@foyer/shared/clock';
import { setVariablesOf } from '@foyer/shared/config/config';
import { forwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { openLog } from '@foyer/shared/telemetry/log';
import { openContextSigner } from '@foyer/shared/graphql/signed-context';
import { openCustomerStanding } from '@foyer/ticketing/customer-standing';

import { createPublicApi } from '../composition/public-api.ts';
import { openGateway } from '../composition/gateway.ts';
import { readGatewayConfig } from '../composition/gateway-config.ts';
import { openRedis } from '../composition/redis.ts';
import { openTraces } from '../composition/tracing.ts';
import { readGatewayProcessConfig, SUBGRAPH_TIMEOUT_MS } from './config.ts';
import { listen } from './listen.ts';
import { anyOf, processCheck } from './process-checks.ts';
import { forwardTo, streamRoutes, forwardedRoutes, uploadRoutes } from './forwarded-routes.ts';
import { remoteRecords } from './remote-records.ts';
import { assertConfigured } from './roles.ts';

/** Slow requests, such as a login that is delayed after a wrong password, leave connections free. */
const subgraphDefaults = { SUBGRAPH_TIMEOUT_MS: String(SUBGRAPH_TIMEOUT_MS), SUBGRAPH_CONNECTIONS: '1024' };

/**
 * Starts a process that clients reach: GraphQL, REST and pages, over subgraphs on the network. It verifies the token of
 * a request once, and signs the viewer for the subgraphs. It has no database: what it must know of tokens, it asks them.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startGatewayProcess(processEnv: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack();
  const given = { ...subgraphDefaults, PUBLIC_URL: 'http://localhost', ...setVariablesOf(processEnv) };
  assertConfigured('gateway', given);
  const config = readGatewayProcessConfig(processEnv);
  const { publicUrl, subgraphs, embedded } = config;
  const env = { ...subgraphDefaults, PUBLIC_URL: publicUrl, ...setVariablesOf(processEnv) };
  const configs = { rest: readRestConfig(env), gateway: readGatewayConfig(env) };
  const log = openLog(config.logLevel);
  stack.adopt(await openTraces(processEnv, { name: 'foyer-gateway', log }), (open) => open.stop());

  const signContext = openContextSigner({ privateKey: config.viewerSigningKey, clock });
  const records = remoteRecords({ urls: subgraphs, signContext, log });
  const redis = await openRedis({ ...config, stack, log });
  const { authenticate } = stack.adopt(
    await openEdgeAuthentication({
      config: readAuthenticationConfig(env),
      records: records.tokens,
      customerStandingOf: openCustomerStanding(records.readCustomerStanding),
      clock,
      log,
    }),
    (open) => open.stop(),
  );
  const gateway = await openGateway({
    stack,
    subgraphs: {},
    remote: {
      addresses: Object.fromEntries(Object.entries(subgraphs).map(([name, url]) => [name, `${url}/graphql`])),
      signContext,
    },
    authenticate,
    evaluatePolicies: records.evaluatePolicies,
    config: configs.gateway,
    log,
    clock,
    redis,
  });
  const checks = {
    identity: processCheck(subgraphs.identity),
    ticketing: processCheck(subgraphs.ticketing),
    media: processCheck(subgraphs.media),
  };
  const app = await createPublicApi({
    config,
    rest: configs.rest,
    gateway,
    authenticate,
    log,
    embedded,
    // Without any subgraph it can do nothing.
    checks: { ...(redis && { redis: redis.check }), ...checks, subgraphs: anyOf(Object.values(checks)) },
    routes: [
      forwardTo(subgraphs.identity, forwardedRoutes.identity),
      forwardTo(subgraphs.ticketing, forwardedRoutes.ticketing),
      forwardTo(subgraphs.media, forwardedRoutes.media),
      forwardTo(subgraphs.identity, streamRoutes, { long: true }),
      forwardTo(config.uploadServer, uploadRoutes, { long: true, prefixOf: forwardedPrefix(config.trustedProxies) }),
    ],
  });
  return await listen(app, config, stack);
}
