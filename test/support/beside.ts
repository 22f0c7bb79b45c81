import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { SharedServer } from './shared-server.ts';

/** What a further server is told to share database, store, secrets and outside services with one that runs. */
export async function variablesBeside({
  dataDir,
  databaseUrl,
}: Pick<SharedServer, 'dataDir' | 'databaseUrl'>): Promise<Record<string, string>> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(dataDir, name), 'utf8')) as Record<string, string>;
  const { PORT, HOST, PUBLIC_URL, AUTH_BASE_URL, ASSET_BASE_URL, ...services } = await read('running.json');
  return { ...(await read('secrets.json')), ...services, DATABASE_URL: databaseUrl };
}
