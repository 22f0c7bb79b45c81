import { join } from 'node:path';

import { deployMigrations } from '@foyer/prisma/migrate';
import { ConfigError } from '@foyer/shared/config/config';
import { openLog, type Log } from '@foyer/shared/telemetry/log';

import { addressesOf, tellAddresses } from '../addresses.ts';
import { readConfig } from '../config.ts';
import { openDataDir } from '../data-dir.ts';
import { openWorld, type World } from '../embedded/embedded-services.ts';
import { assertPortIsFree } from '../port.ts';
import { keptSecrets, publicHalf } from '../secrets.ts';
import { welcomeOf } from '../docs-site/start-page.ts';
import { unwinding, type Later } from '../unwinding.ts';
import { createBalancer } from './balancer.ts';
import { openKeeper } from './keeper.ts';

const main = join(import.meta.dirname, 'main.ts');
const uploadServer = join(import.meta.dirname, '../../../subgraphs/media/src/upload-server/main.ts');

const GATEWAYS = 2;

/**
 * Opens the whole platform as it runs on many machines, on this one: each subgraph, the worker and the upload server in
 * a process of its own, two gateways behind one address; outside parts that no variable names are embedded.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export const openDistributedHouse = (processEnv: NodeJS.ProcessEnv) =>
  unwinding(async (later) => {
    const config = readConfig(processEnv);
    const log = openLog(config.logLevel);
    await assertPortIsFree(config.port, config.host);
    const dataDir = later(await openDataDir(config.dataDir), (held) => held.release());
    const secrets = config.production ? undefined : await keptSecrets(dataDir.folder('secrets.json'));
    const world = later(await openWorld(config, dataDir, secrets), (open) => open.stop());
    const env: NodeJS.ProcessEnv = { ...world.env, ...secrets, ...addressesOf(config), ...processEnv };

    await deployMigrations(env['DATABASE_URL'] ?? '');
    const balancer = later(createBalancer(), (open) => open.stop());
    const gateways = await startProcesses({ env, world, log, later });
    await balancer.listen({ ...config, targets: gateways });
    later(await tellAddresses(config, world.env), (told) => told.forget());
    return { welcome: welcomeOf({ config, parts: world.parts }) };
  });

interface Processes {
  env: NodeJS.ProcessEnv;
  world: World;
  log: Log;
  later: Later;
}

/**
 * Starts the processes behind the gateways, then the gateways.
 *
 * @returns the ports of the gateways
 */
async function startProcesses({ env, world, log, later }: Processes): Promise<number[]> {
  const { VIEWER_SIGNING_KEY, AUTH_JWT_PRIVATE_KEY, TRUSTED_PROXIES, ...common } = env;
  if (!VIEWER_SIGNING_KEY) throw new ConfigError('VIEWER_SIGNING_KEY: must be set');
  if (!AUTH_JWT_PRIVATE_KEY) throw new ConfigError('AUTH_JWT_PRIVATE_KEY: must be set');
  const everywhere = { ...common, AUTH_JWT_PUBLIC_KEY: publicHalf(AUTH_JWT_PRIVATE_KEY) };
  const subgraph = {
    ...everywhere,
    VIEWER_PUBLIC_KEY: publicHalf(VIEWER_SIGNING_KEY),
    // The gateways; who is trusted before them is for them to know.
    TRUSTED_PROXIES: ['loopback', ...(TRUSTED_PROXIES ? [TRUSTED_PROXIES] : [])].join(','),
  };

  const { parts, doors, streamer } = world;
  const EMBEDDED_WORLD = JSON.stringify({ parts, doors, streamer });
  const behind = later(openKeeper({ log }), (keeper) => keeper.stop());
  const [identity, ticketing, media] = await Promise.all([
    behind.start([main, 'identity'], { ...subgraph, AUTH_JWT_PRIVATE_KEY }),
    behind.start([main, 'ticketing'], subgraph),
    behind.start([main, 'media'], subgraph),
    behind.start([main, 'worker'], { ...everywhere, AUTH_JWT_PRIVATE_KEY, EMBEDDED_WORLD }),
  ]);
  const uploads = await behind.start([uploadServer], { ...subgraph, HOOK_URL: `${media}/hooks/tusd` });

  const before = later(openKeeper({ log }), (keeper) => keeper.stop());
  const gateway = {
    ...everywhere,
    ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }),
    VIEWER_SIGNING_KEY,
    IDENTITY_URL: identity,
    TICKETING_URL: ticketing,
    MEDIA_URL: media,
    UPLOAD_SERVER_URL: uploads,
    EMBEDDED_WORLD,
  };
  const urls = await Promise.all(Array.from({ length: GATEWAYS }, () => before.start([main, 'gateway'], gateway)));
  return urls.map((url) => Number(new URL(url).port));
}
