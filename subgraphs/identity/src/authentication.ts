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

interface Needs {
  config: AuthenticationConfig;
  db: IdentityDatabase;
  clock: Clock;
  log: Log;
  events: Events;
  /** Tells whether a customer's token still counts; ticketing owns customers' sessions. */
  customerStandingOf: CustomerStandingOf;
}

/** Authenticates requests and resolves permissions: every process needs it, also one that offers no login. */
export interface Authentication {
  authenticate: Authenticate;
  permissions: Permissions;
  rights: Rights;
  keys: Keys;
  stop(): void;
}

/** Opens authentication. It only reads identity's tables. */
export async function openAuthentication(needs: Needs): Promise<Authentication> {
  const { config, db, clock } = needs;
  const keys = await openKeys(config.keys);
  const permissions = resolvePermissions({ db });
  const revoked = revocations({ ...needs, accessSeconds: config.accessSeconds, onFailure: config.revocationFail });
  const rights = watchRights(needs);
  return {
    keys,
    rights,
    permissions: config.enforcePasswordChange ? enforcePasswordChange(permissions, db) : permissions,
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
      standingOf: revoked.standingOf,
      customerStandingOf: unlessUnknown(needs),
      clock,
    }),
    stop() {
      rights.stop();
      revoked.stop();
    },
  };
}

/** Fails like staff tokens while it is unknown whether a customer's session has ended. */
function unlessUnknown({ customerStandingOf, config, log }: Needs): CustomerStandingOf {
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
