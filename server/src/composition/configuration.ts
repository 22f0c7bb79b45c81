import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { readAll, setVariablesOf } from '@foyer/shared/config/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import { readConfig, type Config } from '../config.ts';
import { addressesOf } from '../data-dir/addresses.ts';
import { readGatewayConfig } from './gateway-config.ts';

/** How each package reads its variables. */
export const readers = {
  identity: readIdentityConfig,
  ticketing: readTicketingConfig,
  media: readMediaConfig,
  'REST routes': readRestConfig,
  gateway: readGatewayConfig,
};

/**
 * Reads the configuration of the whole platform in one process. In production, where nothing is generated or embedded, all
 * packages read theirs first, so that everything that is missing is named at once.
 *
 * @throws {ConfigError}
 */
export function readServerConfig(env: NodeJS.ProcessEnv): Config {
  if (env['NODE_ENV'] === 'production') {
    const addresses = addressesOf({
      publicUrl: env['PUBLIC_URL'] || 'http://localhost',
      dataDir: env['DATA_DIR'] || '.data',
    });
    const given = { ...addresses, ...setVariablesOf(env) };
    readAll([() => readConfig(env), ...Object.values(readers).map((read) => () => read(given))]);
  }
  return readConfig(env);
}
