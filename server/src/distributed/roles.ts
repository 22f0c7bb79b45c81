import {
  readAuthenticationConfig,
  readConfig as readIdentityConfig,
  readCustomerDirectoryConfig,
} from '@foyer/identity/config';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { readConfig as readUploadServerConfig } from '@foyer/media/upload-server/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { readAll } from '@foyer/shared/config/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import { readGatewayConfig } from '../composition/gateway-config.ts';
import { readGatewayProcessConfig, readSubgraphProcessConfig, readWorkerConfig } from './config.ts';

type Reader = (env: NodeJS.ProcessEnv) => unknown;

/** Each process of the distributed layout, and what reads its variables. */
export const readersOf = {
  gateway: [readGatewayProcessConfig, readAuthenticationConfig, readGatewayConfig, readRestConfig],
  identity: [readSubgraphProcessConfig, readIdentityConfig],
  ticketing: [readSubgraphProcessConfig, readAuthenticationConfig, readTicketingConfig, readCustomerDirectoryConfig],
  media: [readSubgraphProcessConfig, readAuthenticationConfig, readMediaConfig],
  worker: [readWorkerConfig, readIdentityConfig, readTicketingConfig, readCustomerDirectoryConfig, readMediaConfig],
  upload: [readUploadServerConfig],
} satisfies Record<string, readonly Reader[]>;

export type Role = keyof typeof readersOf;

/**
 * Lets everything that a process needs read its variables, so that all invalid ones are named at once.
 *
 * @throws {ConfigError} naming them
 */
export const assertConfigured = (role: Role, env: NodeJS.ProcessEnv): void =>
  readAll(readersOf[role].map((read) => () => read(env)));

/**
 * Returns the process whose variables these are: each has some that no other gets. Undefined where the variables are those of
 * the whole installation, as in a worker, and in one process for everything.
 */
export function roleOf(env: NodeJS.ProcessEnv): Exclude<Role, 'worker'> | undefined {
  if (env['VIEWER_SIGNING_KEY']) return env['DATABASE_URL'] ? undefined : 'gateway';
  if (!env['VIEWER_PUBLIC_KEY']) return env['HOOK_URL'] ? 'upload' : undefined;
  const own = { identity: 'AUTH_JWT_PRIVATE_KEY', ticketing: 'PAYMENT_GATEWAY_SECRET', media: 'HOOK_SECRET' } as const;
  const [subgraph, ...others] = (['identity', 'ticketing', 'media'] as const).filter((name) => env[own[name]]);
  return others.length === 0 ? subgraph : undefined;
}
