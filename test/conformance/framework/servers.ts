import type { TestProject } from 'vitest/node';

import { closeHouse, openHouse } from '../../support/house.ts';
import { settings as shared } from '../../support/shared-for-the-run.ts';
import { HOOK_SECRET, INTERNAL_PSK } from '../../support/shared-settings.ts';
import type { Mode, Settings } from './settings.ts';

const legacySecret = 'a secret with which legacy tokens are signed';

/**
 * Vitest's global set-up of this project: the server that the caller names by the variables of `pnpm conformance`, or
 * else two of our own, one in each mode of `REST_AUTH`.
 */
export default async function startServers({ provide }: TestProject) {
  const given = process.env['CONFORMANCE_URL'];
  if (given) return provide('conformance', [settingsOf(given)]);

  const modes: Mode[] = ['documented', 'strict'];
  const running = await Promise.all(
    modes.map((mode) => openHouse({ ...shared, REST_AUTH: mode, LEGACY_JWT_SECRET: legacySecret })),
  );
  provide(
    'conformance',
    running.map(({ url }, at) => ({
      url,
      mode: modes[at] ?? 'documented',
      password: 'Foyer-demo-1',
      internalSecret: INTERNAL_PSK,
      hookSecret: HOOK_SECRET,
      legacySecret,
      complete: true,
    })),
  );
  return async () => void (await Promise.all(running.map((server) => closeHouse(server))));
}

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
