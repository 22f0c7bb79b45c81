import type { IdentityDatabase } from '@foyer/prisma/identity';
import { openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import type { Authenticate, CustomerStandingOf } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Rights } from '@foyer/shared/auth/rights';
import { readTypeDefs, type Subgraph } from '@foyer/shared/graphql/subgraph';

import { identityProvider } from '#adapters/identity-provider.ts';
import { mailer } from '#adapters/mailer.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import { discardCreationWorker } from './at-provider/discard-creation.ts';
import { openAuthentication } from './authentication.ts';
import type { Config } from './config.ts';
import type { Context, Services } from './context.ts';
import { licenseGuard } from './license/license-guard.ts';
import { limits, noLimits } from './limits/limits.ts';
import { openKnownDevices } from './cookies/known-devices.ts';
import { createLoaders } from './loaders.ts';
import { openSealer } from './secrets/sealer.ts';
import { mailWorker } from './mails/send-mail.ts';
import { passwordResetWorker } from './passwords/send-password-reset.ts';
import { passwordAttemptWorker } from './passwords/settle-password-attempt.ts';
import { rememberPermissions } from './permissions/remember-permissions.ts';
import { identitySchema } from './schema.ts';
import { channels } from './events/channels.ts';
import { openStreams } from './limits/open-streams.ts';
import { sessionStream } from './session-stream/routes.ts';
import { deletedTenanciesWorker } from './sweeper/sweep-deleted-tenancies.ts';
import { sweepWorker } from './sweeper/sweep-expired.ts';
import { startUp } from './start-up/start-up.ts';
import { jwksRoute } from './tokens/routes.ts';
import type { TokenRecords } from './tokens/token-records.ts';
import { openTokens } from './tokens/tokens.ts';
import { viewerRecords } from './viewer-records.ts';

export interface IdentityOptions {
  config: Config;
  db: IdentityDatabase;
  jobs: Jobs;
  clock: Clock;
  log: Log;
  events: Events;
  /** Tells whether a customer's token still counts. */
  customerStandingOf: CustomerStandingOf;
  /** Replaces the one that the configuration names. */
  identityProvider?: IdentityProvider;
}

export interface Identity extends Subgraph {
  permissions: Permissions;
  rights: Rights;
  authenticate: Authenticate;
  /** What it reads of tokens, for gateways that have no database. */
  records: TokenRecords;
  /** Runs the documented start-up sequence. To be called at every start, before anybody logs in. */
  startUp(): Promise<void>;
}

/** Opens identity: the auth service and the tenancy half of the core service. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { config, db, clock, log } = options;
  const { authenticate, permissions, rights, records, keys, stop } = await openAuthentication(options);
  const services: Services = {
    ...options,
    permissions,
    rights,
    readViewer: viewerRecords(db),
    identityProvider: options.identityProvider ?? identityProvider({ ...config.identityProvider, log }),
    licenseSigningKey: config.licenseSigningKey,
    licenseGuard: licenseGuard({ ...config.license, clock, log }),
    tokens: openTokens({ ...config, clock }),
    cookieRules: config.cookies,
    streams: openStreams(),
    loginFloorMs: config.loginFloorMs,
    mailer: mailer({ ...config.mailer, addresses: openAddressPolicy(config.mailAddresses) }),
    sealer: openSealer(config.emailSecretKey),
    settings: config.settings,
    refreshGraceSeconds: config.refreshGraceSeconds,
    limits: config.rateLimits ? limits({ db, clock }) : noLimits,
    knownDevices: openKnownDevices({ secret: config.deviceSecret, cookieRules: config.cookies, clock }),
  };
  const stream = sessionStream({ ...services, authenticate, heartbeatMs: config.streamHeartbeatMs });

  return {
    name: 'identity',
    schema: identitySchema(await readTypeDefs(import.meta.dirname)),
    contextFor: (scope): Context => ({
      ...services,
      ...scope,
      permissions: rememberPermissions(permissions),
      loaders: createLoaders(db),
    }),
    async routes(app) {
      await app.register(jwksRoute(keys));
      await app.register(stream);
    },
    workers: [
      mailWorker(services),
      passwordResetWorker(services),
      passwordAttemptWorker(services),
      discardCreationWorker(services),
      sweepWorker(services),
      deletedTenanciesWorker(services),
    ],
    channels: Object.values(channels),
    permissions,
    rights,
    authenticate,
    records,
    startUp: () => startUp({ ...services, config }),
    async stop() {
      stop();
      services.licenseGuard.stop();
      services.mailer.close();
    },
  };
}
