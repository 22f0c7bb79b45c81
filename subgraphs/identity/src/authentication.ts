import type { IdentityDatabase } from '@foyer/prisma/identity';
import { createAuthenticate, type Authenticate, type CustomerStandingOf } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import type { Permissions } from '@foyer/shared/auth/permissions';
import { revocationUnknown } from '@foyer/shared/auth/viewer';
import type { Rights } from '@foyer/shared/auth/rights';

import type { AuthenticationConfig } from './config.ts';
import { enforcePasswordChange } from './passwords/enforce-password-change.ts';
import { resolvePermissions } from './permissions/resolve-permissions.ts';
import { watchRights } from './permissions/watch-rights.ts';
import { openKeys, type Keys } from './tokens/keys.ts';
import { legacyAuthService } from './tokens/legacy-auth-service.ts';
import { revocations } from './tokens/revocations.ts';
import { tokenRecords, type TokenRecords } from './tokens/token-records.ts';

interface EdgeNeeds {
  config: AuthenticationConfig;
  records: TokenRecords;
  clock: Clock;
  log: Log;
  /** Tells whether a customer's token still counts; ticketing owns customers' sessions. */
  customerStandingOf: CustomerStandingOf;
}

/** Authenticates requests. */
export interface EdgeAuthentication {
  authenticate: Authenticate;
  keys: Keys;
  stop(): void;
}

/** Opens authentication over the records of tokens, wherever they are: it needs no database itself. */
export async function openEdgeAuthentication(needs: EdgeNeeds): Promise<EdgeAuthentication> {
  const { config, clock } = needs;
  const keys = await openKeys(config.keys);
  const revoked = revocations({ ...needs, onFailure: config.revocationFail });
  return {
    keys,
    authenticate: createAuthenticate({
      keys: keys.verify,
      ownKeyIds: keys.jwks.keys.flatMap(({ kid }) => kid ?? []),
      issuer: config.issuer,
      elsewhere: config.legacyAuthUrl
        ? legacyAuthService({
            ...needs,
            url: config.legacyAuthUrl,
            issuer: config.issuer,
            accessSeconds: config.accessSeconds,
          })
        : undefined,
      legacySecret: config.legacySecret,
      // One from before a shorter lifetime was set, which would outlive the revocations that are remembered.
      standingOf: async (bearer) =>
        bearer.issuedAt + config.accessSeconds <= clock.now().getTime() / 1_000
          ? 'revoked'
          : revoked.standingOf(bearer),
      customerStandingOf: unlessUnknown(needs),
      clock,
    }),
    stop: revoked.stop,
  };
}

interface Needs extends Omit<EdgeNeeds, 'records'> {
  db: IdentityDatabase;
  events: Events;
}

/** Authenticates requests and resolves permissions: every process with a database needs it, also one that offers no login. */
export interface Authentication extends EdgeAuthentication {
  permissions: Permissions;
  rights: Rights;
  /** What it reads of tokens, for gateways that have no database. */
  records: TokenRecords;
}

/** Opens authentication. It only reads identity's tables. */
export async function openAuthentication(needs: Needs): Promise<Authentication> {
  const { config, db } = needs;
  const records = tokenRecords({ ...needs, accessSeconds: config.accessSeconds });
  const edge = await openEdgeAuthentication({ ...needs, records });
  const permissions = resolvePermissions({ db });
  const rights = watchRights(needs);
  return {
    ...edge,
    records,
    rights,
    permissions: config.enforcePasswordChange ? enforcePasswordChange(permissions, db) : permissions,
    stop() {
      rights.stop();
      edge.stop();
    },
  };
}

/** Fails like staff tokens while it is unknown whether a customer's session has ended. */
function unlessUnknown({ customerStandingOf, config, log }: EdgeNeeds): CustomerStandingOf {
  return async (bearer) => {
    try {
      return await customerStandingOf(bearer);
    } catch (error) {
      const { reads, writes } = config.revocationFail;
      log.error({ err: error, onFailure: config.revocationFail }, 'it is unknown whether a customer session has ended');
      if (reads === 'closed') throw revocationUnknown();
      return writes === 'closed' ? 'unknown' : 'good';
    }
  };
}
