import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import type { Events } from '@foyer/shared/events';
import type { Jobs } from '@foyer/shared/jobs';
import type { Log } from '@foyer/shared/log';
import type { Permissions } from '@foyer/shared/permissions';
import type { RequestScope } from '@foyer/shared/request';

import type { IdentityProvider } from '#ports/identity-provider.ts';
import type { LicenseGuard } from './license/license-guard.ts';
import type { Limits } from './limits/limits.ts';
import type { Loaders } from './loaders.ts';
import type { CookieRules } from './sessions/deliver-tokens.ts';
import type { Tokens } from './tokens/tokens.ts';

/** What identity's use cases need from outside one request. */
export interface House {
  db: IdentityDatabase;
  clock: Clock;
  events: Events;
  jobs: Jobs;
  log: Log;
  permissions: Permissions;
  identityProvider: IdentityProvider;
  licenseGuard: LicenseGuard;
  tokens: Tokens;
  cookieRules: CookieRules;
  limits: Limits;
  /** No refused login is answered sooner. */
  loginFloorMs: number;
}

/** What identity's resolvers work with: the house, and one request. */
export interface Context extends House, RequestScope {
  loaders: Loaders;
}
