import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeWhole } from '@foyer/shared/process/write-whole';

import type { Config } from '../config.ts';

type At = Pick<Config, 'dataDir' | 'publicUrl' | 'port' | 'host'>;

/** Returns defaults for the address variables that are not set. */
export const addressesOf = ({ publicUrl, dataDir }: Pick<At, 'publicUrl' | 'dataDir'>) => ({
  PUBLIC_URL: publicUrl,
  AUTH_BASE_URL: publicUrl,
  ASSET_BASE_URL: publicUrl,
  MEDIA_DIR: join(dataDir, 'media'),
  RECEIPTS_DIR: join(dataDir, 'receipts'),
});

const fileIn = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Writes the addresses of the running server and its embedded services to `running.json`, for the command line. Only
 * the file's owner may read it.
 *
 * @param env the variables that point to the embedded services
 * @returns `remove`, which deletes the file
 */
export async function writeAddresses({ dataDir, publicUrl, port, host }: At, env: Record<string, string>) {
  const file = fileIn(dataDir);
  const addresses = { ...env, ...addressesOf({ publicUrl, dataDir }), PORT: String(port), HOST: host };
  await writeWhole(file, JSON.stringify(addresses, null, 2));
  return { remove: () => rm(file, { force: true }) };
}

/** Reads what the server of this data folder has written: `{}` while none runs, stale values after it was killed. */
export async function readAddresses(dataDir: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(fileIn(dataDir), 'utf8').catch(() => '{}')) as Record<string, string>;
}
