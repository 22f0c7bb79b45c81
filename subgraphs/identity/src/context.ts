import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Rights } from '@foyer/shared/auth/rights';

import type { IdentityProvider } from '#ports/identity-provider.ts';
import type { Mailer } from '#ports/mailer.ts';
import type { LicenseGuard } from './license/license-guard.ts';
import type { Limits } from './limits/limits.ts';
import type { Loaders } from './loaders.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { CookieRules } from './cookies/cookie.ts';
import type { KnownDevices } from './cookies/known-devices.ts';
import type { OpenStreams } from './limits/open-streams.ts';
import type { Tokens } from './tokens/tokens.ts';

/** What identity's use cases need from outside one request. */
export interface Services {
  db: IdentityDatabase;
  clock: Clock;
  jobs: Jobs;
  log: Log;
  permissions: Permissions;
  rights: Rights;
  identityProvider: IdentityProvider;
  licenseGuard: LicenseGuard;
  /** Signs licenses for organizations on their own premises: Ed25519, PKCS#8, PEM. */
  licenseSigningKey?: string | undefined;
  tokens: Tokens;
  cookieRules: CookieRules;
  limits: Limits;
  knownDevices: KnownDevices;
  events: Events;
  streams: OpenStreams;
  /** How long after a refresh a browser that lost the race to it still gets an access token. */
  refreshGraceSeconds: number;
  mailer: Mailer;
  sealer: Sealer;
  settings: Settings;
  /** No refused login is answered sooner. */
  loginFloorMs: number;
}

/** What the operator decides. */
interface Settings {
  /** Where links in e-mails lead, without a slash at the end. */
  frontendUrl: string;
  /** How long the link of an invitation is valid. */
  magicLinkSeconds: number;
  /** In whose name the house writes. */
  mailFrom: string;
  /** The domains in whose names organizations may write over the house's mail server. */
  mailFromDomains: readonly string[];
}

/** What identity's resolvers work with: the house, and one request. */
export interface Context extends Services, RequestScope {
  loaders: Loaders;
}
