import type { TestProject } from 'vitest/node';

import { legacySecret } from '../../support/fixtures/legacy-tokens.ts';
import startPostgresForTheRun from '../../support/servers/postgres-for-the-run.ts';
import shareForTheRun, { type SharedParts } from '../../support/servers/shared-for-the-run.ts';
import { partOf } from '../../support/servers/shared-server.ts';
import { HOOK_SECRET, INTERNAL_PSK } from '../../support/servers/shared-settings.ts';
import type { Settings } from './settings.ts';

/**
 * Vitest's global set-up of this project: the server that the caller names by the variables of `pnpm conformance`, or
 * else the shared servers of the run, one in each mode of `REST_AUTH`.
 */
export default async function findServers(project: TestProject) {
  const given = process.env['CONFORMANCE_URL'];
  if (given) return project.provide('conformance', [settingsOf(given)]);

  const stops = [await startPostgresForTheRun(project), await shareForTheRun(project)];
  const parts = project.vitest.getRootProject().getProvidedContext().sharedParts.single;
  const [documented, strict] = await Promise.all([partOf('server-usual', parts), partOf('server-usual-strict', parts)]);
  project.provide('conformance', [
    { ...(await sharedSettings(documented)), mode: 'documented' },
    { ...(await sharedSettings(strict)), mode: 'strict' },
  ]);
  return async () => {
    for (const stop of stops.toReversed()) await stop?.();
  };
}

const sharedSettings = async (server: SharedParts['server-usual']) => ({
  url: server.url,
  password: 'Foyer-demo-1',
  internalSecret: INTERNAL_PSK,
  hookSecret: HOOK_SECRET,
  legacySecret: await legacySecret(server),
  complete: true,
});

function settingsOf(url: string): Settings {
  const { env } = process;
  return {
    url,
    mode: env['CONFORMANCE_MODE'] === 'strict' ? 'strict' : 'documented',
    password: env['CONFORMANCE_PASSWORD'],
    internalSecret: env['CONFORMANCE_INTERNAL_PSK'],
    hookSecret: env['CONFORMANCE_HOOK_SECRET'],
    legacySecret: env['CONFORMANCE_LEGACY_JWT_SECRET'],
    complete: false,
  };
}
