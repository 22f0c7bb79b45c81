import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';

import { addressesOf, toldAddresses } from '../addresses.ts';
import { embeddable, readConfig, type Config } from '../config.ts';
import { holderOf, openDataDir } from '../data-dir.ts';
import { openWorld, type PartName } from '../embedded/embedded-services.ts';
import { keptSecrets } from '../secrets.ts';
import { unwinding, type Later } from '../unwinding.ts';

/** The house as a command finds it. */
export interface Reached {
  config: Config;
  /** Every variable: as given, else as the house has generated it or its embedded part says. */
  env: NodeJS.ProcessEnv;
  /** The process that has the house open, where that is on this machine. */
  process: number | undefined;
}

type Wanted = Exclude<PartName, 'streamer'>;

const variableOf: Record<Wanted, (typeof embeddable)[keyof typeof embeddable]> = {
  database: embeddable.database,
  identityProvider: embeddable['identity provider'],
  paymentGateway: embeddable['payment gateway'],
  mail: embeddable.mail,
};

/**
 * Does something with the house, whether it runs or not: parts that are configured are used, embedded ones of a
 * running house too, those of a stopped house are started for as long as it takes.
 *
 * @param wanted the parts that are needed
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function withHouse<Result>(
  processEnv: NodeJS.ProcessEnv,
  wanted: readonly Wanted[],
  use: (house: Reached, later: Later) => Promise<Result>,
): Promise<Result> {
  const done = await unwinding(async (later) => ({
    result: await use(await reach(processEnv, wanted, later), later),
  }));
  await done.stop();
  return done.result;
}

async function reach(processEnv: NodeJS.ProcessEnv, wanted: readonly Wanted[], later: Later): Promise<Reached> {
  const given = Object.fromEntries(Object.entries(processEnv).filter(([, value]) => value !== ''));
  const { dataDir, production } = readConfig(given);
  const process = await holderOf(dataDir);
  const told = process ? await toldAddresses(dataDir) : {};
  const config = readConfig({ ...told, ...given });

  const missing = wanted.filter((part) => !told[variableOf[part]] && !given[variableOf[part]]);
  if (missing.length > 0 && process) throw new ConfigError(notTold(variableOf[missing[0] ?? 'database'], told));
  const held = missing.length > 0 ? later(await openDataDir(dataDir), (open) => open.release()) : undefined;
  const file = join(dataDir, 'secrets.json');
  const secrets = production || !(held ?? existsSync(file)) ? undefined : await keptSecrets(file);
  const world = held && later(await openWorld(config, held, secrets, missing), (open) => open.stop());
  return { config, process, env: { ...told, ...world?.env, ...secrets, ...addressesOf(config), ...given } };
}

const notTold = (variable: string, told: Record<string, string>) =>
  Object.keys(told).length === 0
    ? 'DATA_DIR: the house there is just being opened or closed: try again in a moment'
    : `${variable}: the house was started with one of its own: set it here too`;

/** Whether a stopped house has ever been opened here, so that there is something to look into. */
export const wasOpened = ({ dataDir }: Pick<Config, 'dataDir'>): boolean => existsSync(join(dataDir, 'postgres/data'));
