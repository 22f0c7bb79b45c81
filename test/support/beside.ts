import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { SharedServer } from './servers/shared-server.ts';

/** Of `running.json`: where one server is itself. */
const OF_ITSELF = new Set(['PORT', 'HOST', 'PUBLIC_URL', 'AUTH_BASE_URL', 'ASSET_BASE_URL']);

/** What a further server is told to share database, store, secrets and outside services with one that runs. */
export async function variablesBeside({
  dataDir,
  databaseUrl,
}: Pick<SharedServer, 'dataDir' | 'databaseUrl'>): Promise<Record<string, string>> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(dataDir, name), 'utf8')) as Record<string, string>;
  const services = Object.entries(await read('running.json')).filter(([name]) => !OF_ITSELF.has(name));
  return { ...(await read('secrets.json')), ...Object.fromEntries(services), DATABASE_URL: databaseUrl };
}
