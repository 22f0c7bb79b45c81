import { readConfig as readGatewayConfig } from '@foyer/gateway/config';
import { openAuthentication } from '@foyer/identity/authentication';
import { readAuthenticationConfig } from '@foyer/identity/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { toldIn } from '@foyer/shared/config/config';
import { forwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { openLog } from '@foyer/shared/telemetry/log';
import { openIntroductions } from '@foyer/shared/auth/signed-viewer';

import { createFront } from '../front.ts';
import { openGateway } from '../gateway.ts';
import { groundChecks, processCheck } from '../health.ts';
import { openGround } from '../subgraphs.ts';
import { openTraces } from '../tracing.ts';
import { unwinding } from '../unwinding.ts';
import { readGatewayProcessConfig } from './config.ts';
import { listen } from './listen.ts';
import { passOn, streamDoors, subgraphDoors, uploadDoors } from './subgraph-doors.ts';

/**
 * For subgraphs of ours: above the time that the identity provider is given, so that who waits for it is told what was
 * the matter; and connections enough that those who wait, or are held on purpose as after a wrong password, leave some.
 */
const forOurs = { SUBGRAPH_TIMEOUT_MS: '30000', SUBGRAPH_CONNECTIONS: '1024' };

/**
 * A process that people and clients reach: GraphQL, REST and pages, over subgraphs on the network. Who asks is
 * verified here once; the subgraphs get it signed.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export const openGatewayProcess = (processEnv: NodeJS.ProcessEnv) =>
  unwinding(async (later) => {
    const config = readGatewayProcessConfig(processEnv);
    const { publicUrl, subgraphs, world } = config;
    const env = { ...forOurs, PUBLIC_URL: publicUrl, ...toldIn(processEnv) };
    const configs = { rest: readRestConfig(env), gateway: readGatewayConfig(env) };
    const log = openLog(config.logLevel);
    later(await openTraces(processEnv, { name: 'foyer-gateway', log }), (open) => open.stop());

    const ground = await openGround({ ...config, later, log });
    const { authenticate } = later(
      await openAuthentication({ ...ground, config: readAuthenticationConfig(env) }),
      (open) => open.stop(),
    );
    const gateway = await openGateway({
      later,
      subgraphs: {},
      remote: {
        addresses: Object.fromEntries(Object.entries(subgraphs).map(([name, url]) => [name, `${url}/graphql`])),
        introduce: openIntroductions({ privateKey: config.viewerSigningKey, clock: ground.clock }),
      },
      authenticate,
      config: configs.gateway,
      log,
      clock: ground.clock,
      redis: ground.redis,
    });
    const app = await createFront({
      config,
      rest: configs.rest,
      gateway,
      authenticate,
      log,
      world,
      checks: {
        ...groundChecks(ground),
        identity: processCheck(subgraphs.identity),
        ticketing: processCheck(subgraphs.ticketing),
        media: processCheck(subgraphs.media),
      },
      routes: [
        passOn(subgraphs.identity, subgraphDoors.identity),
        passOn(subgraphs.ticketing, subgraphDoors.ticketing),
        passOn(subgraphs.media, subgraphDoors.media),
        passOn(subgraphs.identity, streamDoors, { long: true }),
        passOn(config.uploadServer, uploadDoors, { long: true, prefixOf: forwardedPrefix(config.trustedProxies) }),
      ],
    });
    return listen(app, config, later);
  });
