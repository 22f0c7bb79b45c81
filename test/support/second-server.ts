import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The variables in `running.json` with the server's own addresses. */
const OF_ITSELF = new Set(['PORT', 'HOST', 'PUBLIC_URL', 'AUTH_BASE_URL', 'ASSET_BASE_URL']);

/** The variables of a further server that shares database, store, secrets and external services with a running one. */
export async function variablesBeside({
  dataDir,
  databaseUrl,
}: {
  dataDir: string;
  databaseUrl: string;
}): Promise<Record<string, string>> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(dataDir, name), 'utf8')) as Record<string, string>;
  const services = Object.entries(await read('running.json')).filter(([name]) => !OF_ITSELF.has(name));
  return { ...(await read('secrets.json')), ...Object.fromEntries(services), DATABASE_URL: databaseUrl };
}
