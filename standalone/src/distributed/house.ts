import { join } from 'node:path';

import { deployMigrations } from '@foyer/prisma/migrate';
import { ConfigError } from '@foyer/shared/config';
import { openLog, type Log } from '@foyer/shared/log';

import { addressesOf, tellAddresses } from '../addresses.ts';
import { readConfig, type Config } from '../config.ts';
import { openDataDir } from '../data-dir.ts';
import { openWorld, type World } from '../embedded-world.ts';
import { assertPortIsFree, freePorts } from '../port.ts';
import { keptSecrets, publicHalf } from '../secrets.ts';
import { welcomeOf } from '../start-page.ts';
import { openShared, openSubgraphs, startUp } from '../subgraphs.ts';
import { unwinding, type Later } from '../unwinding.ts';
import { createBalancer } from './balancer.ts';
import { startChild } from './child.ts';

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

    await prepare({ config, env, world, log });
    const balancer = later(createBalancer(), (open) => open.stop());
    const gateways = await startProcesses({ env, world, log, later });
    await balancer.listen({ ...config, targets: gateways });
    later(await tellAddresses(config, world.env), (told) => told.forget());
    return { welcome: welcomeOf({ config, parts: world.parts }) };
  });

interface Prepared {
  config: Config;
  env: NodeJS.ProcessEnv;
  world: World;
  log: Log;
}

/** What must have happened once before the processes start: migrations, and what a house starts with. */
async function prepare({ config, env, world, log }: Prepared): Promise<void> {
  const databaseUrl = env['DATABASE_URL'] ?? '';
  await deployMigrations(databaseUrl);
  const once = await unwinding(async (later) => {
    const shared = await openShared({ later, databaseUrl, log, asksOnly: true });
    const subgraphs = await openSubgraphs({ later, shared, env });
    await startUp({ subgraphs, shared, world, config });
    return {};
  });
  await once.stop();
}

interface Processes extends Omit<Prepared, 'config'> {
  later: Later;
}

/**
 * Starts the processes behind the gateways, then the gateways.
 *
 * @returns the ports of the gateways
 */
async function startProcesses({ env, world, log, later }: Processes): Promise<number[]> {
  const { VIEWER_SIGNING_KEY, TRUSTED_PROXIES } = env;
  if (!VIEWER_SIGNING_KEY) throw new ConfigError('VIEWER_SIGNING_KEY: must be set');
  const ports = await freePorts(5 + GATEWAYS);
  const [identity = 0, ticketing = 0, media = 0, worker = 0, uploads = 0, ...gateways] = ports;
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const start = async (command: readonly [string, ...string[]], port: number, more: NodeJS.ProcessEnv) =>
    later(
      await startChild({ command, env: { ...env, PORT: String(port), HOST: '127.0.0.1', ...more }, log }),
      (child) => child.stop(),
    );

  const behind = {
    VIEWER_PUBLIC_KEY: publicHalf(VIEWER_SIGNING_KEY),
    // The gateways; who is trusted before them is for them to know.
    TRUSTED_PROXIES: ['loopback', ...(TRUSTED_PROXIES ? [TRUSTED_PROXIES] : [])].join(','),
  };
  await Promise.all([
    start([main, 'identity'], identity, behind),
    start([main, 'ticketing'], ticketing, behind),
    start([main, 'media'], media, behind),
    start([main, 'worker'], worker, {}),
    start([uploadServer], uploads, { UPLOAD_SERVER_PORT: String(uploads), HOOK_URL: `${at(media)}/hooks/tusd` }),
  ]);
  const before = {
    IDENTITY_URL: at(identity),
    TICKETING_URL: at(ticketing),
    MEDIA_URL: at(media),
    UPLOAD_SERVER_URL: at(uploads),
    EMBEDDED_WORLD: JSON.stringify({ parts: world.parts, doors: world.doors }),
  };
  await Promise.all(gateways.map((port) => start([main, 'gateway'], port, before)));
  return gateways;
}
