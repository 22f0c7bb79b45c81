import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { assertDatabaseAnswers } from '@foyer/shared/database-reachable';
import { openLog } from '@foyer/shared/telemetry/log';

import { addressesOf, readAddresses } from '../../data-dir/addresses.ts';
import { embeddable, readConfig, type Config } from '../../config.ts';
import { holderOf, openDataDir } from '../../data-dir/data-dir.ts';
import { startEmbeddedServices, type ServiceName } from '../../embedded/embedded-services.ts';
import { loadOrCreateSecrets } from '../../data-dir/secrets.ts';

/** The installation that a command works on, whether its server runs or not. */
export interface Installation {
  config: Config;
  /** Every variable: as given, else generated, else as the embedded service reports it. */
  env: NodeJS.ProcessEnv;
  /** The id of the server's process, if it runs on this machine. */
  process: number | undefined;
}

type Wanted = Exclude<ServiceName, 'streamer'>;

const variableOf: Record<Wanted, (typeof embeddable)[keyof typeof embeddable]> = {
  database: embeddable.database,
  identityProvider: embeddable['identity provider'],
  paymentGateway: embeddable['payment gateway'],
  mail: embeddable.mail,
};

/**
 * Runs a command's work on the installation. Configured services and the embedded services of a running server are
 * used as they are; those of a stopped server are started for as long as the work takes.
 *
 * @param wanted the services that the work needs
 * @param checked false for work that reports a database that does not answer itself
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function withInstallation<Result>(
  processEnv: NodeJS.ProcessEnv,
  wanted: readonly Wanted[],
  use: (installation: Installation, stack: AsyncDisposableStack) => Promise<Result>,
  { checked = true } = {},
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const installation = await openInstallation(processEnv, wanted, stack);
  const databaseUrl = installation.env['DATABASE_URL'];
  if (checked && wanted.includes('database') && databaseUrl) await assertDatabaseAnswers(databaseUrl);
  return await use(installation, stack);
}

async function openInstallation(
  processEnv: NodeJS.ProcessEnv,
  wanted: readonly Wanted[],
  stack: AsyncDisposableStack,
): Promise<Installation> {
  const given = Object.fromEntries(Object.entries(processEnv).filter(([, value]) => value !== ''));
  const { dataDir, production } = readConfig(given);
  const process = await holderOf(dataDir);
  const running = process ? await readAddresses(dataDir) : {};
  const config = readConfig({ ...running, ...given });

  const missing = wanted.filter((name) => !running[variableOf[name]] && !given[variableOf[name]]);
  if (missing.length > 0 && process) throw new ConfigError(notReported(variableOf[missing[0] ?? 'database'], running));
  const lock = missing.length > 0 ? stack.adopt(await openDataDir(dataDir), (open) => open.release()) : undefined;
  const file = join(dataDir, 'secrets.json');
  const secrets = production || !(lock ?? existsSync(file)) ? undefined : await loadOrCreateSecrets(file);
  const embedded =
    lock &&
    stack.adopt(
      await startEmbeddedServices({ config, dataDir: lock, secrets, log: openLog('silent'), wanted: missing }),
      (open) => open.stop(),
    );
  return { config, process, env: { ...running, ...embedded?.env, ...secrets, ...addressesOf(config), ...given } };
}

const notReported = (variable: string, running: Record<string, string>) =>
  Object.keys(running).length === 0
    ? 'DATA_DIR: the server there is starting or stopping: try again in a moment'
    : `${variable}: the server was started with a value of its own: set it here too`;

/** Returns whether a server has run in this data folder before, so that there is state to check. */
export const wasOpened = ({ dataDir }: Pick<Config, 'dataDir'>): boolean => existsSync(join(dataDir, 'postgres/data'));
