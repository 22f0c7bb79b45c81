import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeWhole } from '@foyer/shared/config/write-whole';

import type { Config } from './config.ts';

type At = Pick<Config, 'dataDir' | 'publicUrl' | 'port' | 'host'>;

/** Where this house is, for the variables that nobody has set. */
export const addressesOf = ({ publicUrl, dataDir }: Pick<At, 'publicUrl' | 'dataDir'>) => ({
  PUBLIC_URL: publicUrl,
  AUTH_BASE_URL: publicUrl,
  ASSET_BASE_URL: publicUrl,
  MEDIA_DIR: join(dataDir, 'media'),
});

const fileIn = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Writes down where the open house and its embedded parts are, for the command line; only its owner may read it.
 *
 * @param env the variables that say where the embedded parts are
 */
export async function tellAddresses({ dataDir, publicUrl, port, host }: At, env: Record<string, string>) {
  const file = fileIn(dataDir);
  const told = { ...env, ...addressesOf({ publicUrl, dataDir }), PORT: String(port), HOST: host };
  await writeWhole(file, JSON.stringify(told, null, 2));
  return { forget: () => rm(file, { force: true }) };
}

/** The variables that the house of this folder has told; empty while it is not open. After a kill they are stale. */
export async function toldAddresses(dataDir: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(fileIn(dataDir), 'utf8').catch(() => '{}')) as Record<string, string>;
}
