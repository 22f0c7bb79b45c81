import type { IdentityDatabase } from '@foyer/prisma/identity';
import { createAuthenticate, type Authenticate } from '@foyer/shared/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Events } from '@foyer/shared/events';
import type { Jobs } from '@foyer/shared/jobs';
import type { Log } from '@foyer/shared/log';
import type { Permissions } from '@foyer/shared/permissions';
import { readTypeDefs, type Subgraph } from '@foyer/shared/subgraph';

import { identityProvider } from '#adapters/identity-provider.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import type { Config } from './config.ts';
import type { Context, House } from './context.ts';
import { licenseGuard } from './license/license-guard.ts';
import { limits, noLimits } from './limits/limits.ts';
import { createLoaders } from './loaders.ts';
import { rememberPermissions } from './permissions/remember-permissions.ts';
import { resolvePermissions } from './permissions/resolve-permissions.ts';
import { identitySchema } from './schema.ts';
import { startUp } from './start-up/start-up.ts';
import { jwksRoute } from './tokens/routes.ts';
import { openTokens } from './tokens/tokens.ts';
import { userBlocks } from './tokens/user-blocks.ts';

export interface Outside {
  config: Config;
  db: IdentityDatabase;
  events: Events;
  jobs: Jobs;
  clock: Clock;
  log: Log;
  /** Instead of the one that the configuration names. */
  identityProvider?: IdentityProvider;
}

export interface Identity extends Subgraph {
  permissions: Permissions;
  authenticate: Authenticate;
  /** The start-up sequence of the document: at every start, before anybody signs in. */
  startUp(): Promise<void>;
}

/** The auth service and the tenancy half of the core service. */
export async function createIdentity(outside: Outside): Promise<Identity> {
  const { config, db, clock, log } = outside;
  const house: House = {
    ...outside,
    permissions: resolvePermissions({ db }),
    identityProvider: outside.identityProvider ?? identityProvider({ ...config.identityProvider, log }),
    licenseGuard: licenseGuard({ ...config.license, clock, log }),
    tokens: await openTokens({ ...config, clock }),
    cookieRules: config.cookies,
    loginFloorMs: config.loginFloorMs,
    limits: config.rateLimits ? limits({ db, clock }) : noLimits,
  };
  const blocks = userBlocks({ db, clock, log, onFailure: config.revocationFail });

  return {
    name: 'identity',
    schema: identitySchema(await readTypeDefs(import.meta.dirname)),
    contextFor: (scope): Context => ({
      ...house,
      ...scope,
      permissions: rememberPermissions(house.permissions),
      loaders: createLoaders(db),
    }),
    routes: jwksRoute(house.tokens),
    workers: [],
    permissions: house.permissions,
    authenticate: createAuthenticate({
      keys: house.tokens.keys,
      legacySecret: config.legacySecret,
      notBefore: blocks.notBefore,
      clock,
    }),
    startUp: () => startUp({ ...house, config }),
    async stop() {
      house.licenseGuard.stop();
    },
  };
}
