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
import type { ReadViewer } from './viewer-records.ts';

/** The wired dependencies of identity's use cases; they outlive a request. */
export interface Services {
  db: IdentityDatabase;
  clock: Clock;
  jobs: Jobs;
  log: Log;
  permissions: Permissions;
  rights: Rights;
  readViewer: ReadViewer;
  identityProvider: IdentityProvider;
  licenseGuard: LicenseGuard;
  /** Signs licenses for on-premises organizations: Ed25519, PKCS#8, PEM. */
  licenseSigningKey?: string | undefined;
  tokens: Tokens;
  cookieRules: CookieRules;
  limits: Limits;
  knownDevices: KnownDevices;
  events: Events;
  streams: OpenStreams;
  /** How long after a refresh a browser that lost the race for it still gets an access token. */
  refreshGraceSeconds: number;
  mailer: Mailer;
  sealer: Sealer;
  settings: Settings;
  /** The shortest time after which a refused login is answered. */
  loginFloorMs: number;
}

/** Settings that the operator decides on. */
interface Settings {
  /** The base of links in e-mails, without a trailing slash. */
  frontendUrl: string;
  /** How long an invitation's link is valid. */
  magicLinkSeconds: number;
  /** The sender of Foyer's own e-mails. */
  mailFrom: string;
  /** The domains from which organizations may send over Foyer's own mail server. */
  mailFromDomains: readonly string[];
}

/** The context of identity's resolvers: the services, and one request. */
export interface Context extends Services, RequestScope {
  loaders: Loaders;
}
