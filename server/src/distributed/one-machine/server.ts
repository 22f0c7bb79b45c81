import { join } from 'node:path';

import { deployMigrations } from '@foyer/prisma/migrate';
import { ConfigError, readAll, setVariablesOf } from '@foyer/shared/config/config';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { openLog, type Log } from '@foyer/shared/telemetry/log';

import { readServerConfig } from '../../composition/configuration.ts';
import { assertProgramsAreThere, assertTokenReadable } from '../../composition/named-files.ts';
import { assertPortIsFree } from '../../composition/port.ts';
import { addressesOf, writeAddresses } from '../../data-dir/addresses.ts';
import { openDataDir, openFolder } from '../../data-dir/data-dir.ts';
import { loadOrCreateSecrets, publicHalf } from '../../data-dir/secrets.ts';
import { welcomeOf } from '../../docs-site/start-page.ts';
import { startEmbeddedServices, type EmbeddedServices } from '../../embedded/embedded-services.ts';
import { SUBGRAPH_TIMEOUT_MS } from '../config.ts';
import { assertConfigured, type Role } from '../roles.ts';
import { createBalancer } from './balancer.ts';
import { createSupervisor } from './supervisor.ts';

const main = join(import.meta.dirname, '../main.ts');

const GATEWAYS = 2;

/**
 * Starts the platform on this machine in the layout for many: each subgraph, the worker and the upload server in a
 * process of its own, two gateways behind one address. Every external service that no variable names is embedded.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startDistributedServer(processEnv: NodeJS.ProcessEnv) {
  const named = setVariablesOf(processEnv);
  const config = readServerConfig({ SUBGRAPH_TIMEOUT_MS: String(SUBGRAPH_TIMEOUT_MS), ...named });
  const log = openLog(config.logLevel);
  await assertPortIsFree(config.port, config.host);
  await using stack = new AsyncDisposableStack();
  const dataDir = stack.adopt(await openDataDir(config.dataDir), (held) => held.release());
  const secrets = config.production ? undefined : await loadOrCreateSecrets(dataDir.folder('secrets.json'));
  const embedded = stack.adopt(await startEmbeddedServices({ config, dataDir, secrets, log }), (open) => open.stop());
  const env: NodeJS.ProcessEnv = { ...embedded.env, ...secrets, ...addressesOf(config), ...named };

  const environments = environmentsOf(env, embedded);
  assertAllConfigured(environments);
  await assertTokenReadable(env);
  await assertProgramsAreThere(env);
  await openFolder('MEDIA_DIR', env['MEDIA_DIR'] ?? '');
  await assertDatabaseAnswers(env['DATABASE_URL'] ?? '');
  await deployMigrations(env['DATABASE_URL'] ?? '', config.logLevel);
  const balancer = stack.adopt(createBalancer(), (open) => open.stop());
  const gateways = await startProcesses({ environments, log, stack });
  await balancer.listen({ ...config, targets: gateways });
  stack.adopt(await writeAddresses(config, embedded.env), (file) => file.remove());

  const running = stack.move();
  return {
    welcome: welcomeOf({ config, services: embedded.services }),
    drainMs: 2 * config.drainMs, // gateways first, then those behind them
    stop: () => running.disposeAsync(),
  };
}

/** The address of media, which is known once it is open. */
const SOME_HOOK_URL = 'http://127.0.0.1/hooks/tusd';

/**
 * Checks the variables of all processes: each would name only its own problems, in the middle of what the others print.
 *
 * @throws {ConfigError} naming each variable that can't be used
 */
function assertAllConfigured(environments: Record<Role, NodeJS.ProcessEnv>): void {
  const withHook = Object.entries(environments).map(
    ([role, env]) => [role, { HOOK_URL: SOME_HOOK_URL, ...env }] as const,
  );
  readAll(
    withHook.map(
      ([role, env]) =>
        () =>
          assertConfigured(role as Role, env),
    ),
  );
}

interface Processes {
  environments: ReturnType<typeof environmentsOf>;
  log: Log;
  stack: AsyncDisposableStack;
}

/** Returns the variables of each process, but for the addresses of those that it depends on. */
function environmentsOf(env: NodeJS.ProcessEnv, { services, proxies, streamer }: EmbeddedServices) {
  const { VIEWER_SIGNING_KEY, AUTH_JWT_PRIVATE_KEY, TRUSTED_PROXIES, ...common } = env;
  if (!VIEWER_SIGNING_KEY) throw new ConfigError('VIEWER_SIGNING_KEY: must be set');
  if (!AUTH_JWT_PRIVATE_KEY) throw new ConfigError('AUTH_JWT_PRIVATE_KEY: must be set');
  const everywhere = { ...common, AUTH_JWT_PUBLIC_KEY: publicHalf(AUTH_JWT_PRIVATE_KEY) };
  const subgraph = {
    ...everywhere,
    VIEWER_PUBLIC_KEY: publicHalf(VIEWER_SIGNING_KEY),
    // Subgraphs trust the gateways; which proxies stand in front of those is the gateways' business.
    TRUSTED_PROXIES: ['loopback', ...(TRUSTED_PROXIES ? [TRUSTED_PROXIES] : [])].join(','),
  };
  const EMBEDDED_SERVICES = JSON.stringify({ services, proxies, streamer });
  return {
    identity: { ...subgraph, AUTH_JWT_PRIVATE_KEY },
    ticketing: subgraph,
    media: subgraph,
    worker: { ...everywhere, AUTH_JWT_PRIVATE_KEY, EMBEDDED_SERVICES },
    upload: subgraph,
    gateway: {
      ...everywhere,
      DATABASE_URL: undefined, // for those behind it
      ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }),
      VIEWER_SIGNING_KEY,
      EMBEDDED_SERVICES,
    },
  } satisfies Record<Role, NodeJS.ProcessEnv>;
}

/**
 * Starts the processes behind the gateways, then the gateways.
 *
 * @returns the ports of the gateways
 */
async function startProcesses({ environments, log, stack }: Processes): Promise<number[]> {
  const behind = stack.adopt(createSupervisor({ log }), (supervisor) => supervisor.stop());
  const [identity, ticketing, media] = await Promise.all([
    behind.start([main, 'identity'], environments.identity),
    behind.start([main, 'ticketing'], environments.ticketing),
    behind.start([main, 'media'], environments.media),
    behind.start([main, 'worker'], environments.worker),
  ]);
  const uploads = await behind.start([main, 'upload'], { ...environments.upload, HOOK_URL: `${media}/hooks/tusd` });

  const gateways = stack.adopt(createSupervisor({ log }), (supervisor) => supervisor.stop());
  const gateway = {
    ...environments.gateway,
    IDENTITY_URL: identity,
    TICKETING_URL: ticketing,
    MEDIA_URL: media,
    UPLOAD_SERVER_URL: uploads,
  };
  const urls = await Promise.all(Array.from({ length: GATEWAYS }, () => gateways.start([main, 'gateway'], gateway)));
  return urls.map((url) => Number(new URL(url).port));
}
