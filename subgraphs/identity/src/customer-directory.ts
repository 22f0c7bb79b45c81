import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import { networkOf } from '@foyer/shared/http/addresses/address';
import { Refusal } from '@foyer/shared/errors';
import type { Id } from '@foyer/shared/ids';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Client, RequestScope } from '@foyer/shared/http/request';

import { identityProvider } from '#adapters/identity-provider.ts';
import { CUSTOMERS, type IdentityProvider } from '#ports/identity-provider.ts';
import type { CustomerDirectoryConfig } from './config.ts';
import { limits, noLimits } from './limits/limits.ts';
import { readPasswordRules } from './passwords/read-password-rules.ts';
import { attemptLogin } from './login/attempt-login.ts';
import { openKnownDevices } from './cookies/known-devices.ts';
import { customerSubject, forgetAttempts } from './login/login-attempts.ts';
import { assertPassword } from './passwords/assert-password.ts';

/** The session of a password check is ended at once; if that fails, it expires by itself. */
const SESSION_SECONDS = 60;

const requestsOfNetwork = { name: 'customer-request', most: 60, windowSeconds: 15 * 60 };
/** A link lives four times as long as a window: whoever gets no further mail still has a valid link. */
const mails = {
  verify: { name: 'customer-mail:verify', most: 3, windowSeconds: 15 * 60 },
  reset: { name: 'customer-mail:reset', most: 3, windowSeconds: 15 * 60 },
};

interface Needs {
  config: CustomerDirectoryConfig;
  db: IdentityDatabase;
  clock: Clock;
  log: Log;
}

/**
 * Customers at the identity provider. They have one organization of their own there, and names and addresses that say
 * nothing (`customer-<custId>`): a search for staff never finds a customer, nor the other way round. Only the
 * customers' own records say which customer an e-mail address belongs to.
 */
export function customerDirectory({ config, db, clock, log }: Needs) {
  const provider = identityProvider({ ...config.identityProvider, log });
  const counted = config.rateLimits ? limits({ db, clock }) : noLimits;
  const knownDevices = openKnownDevices({ secret: config.deviceSecret, cookieRules: config.cookies, clock });
  const home = customerOrganization(provider);

  return {
    attempt<Result>(
      email: string,
      { client, reply }: Pick<RequestScope, 'client' | 'reply'>,
      check: () => Promise<Result>,
    ): Promise<Result> {
      const needs = { limits: counted, knownDevices, client, reply, loginFloorMs: config.loginFloorMs };
      return attemptLogin(needs, customerSubject(email), { check, remembersDevice: true });
    },

    forgetFailures: async (email: string): Promise<void> =>
      void (await forgetAttempts(counted, customerSubject(email))),

    async checkPassword(userId: Id, password: string, client: Client): Promise<boolean> {
      const customer = await provider.findMember(await home(), userId);
      if (!customer) return false;
      const device = { address: client.address, description: client.userAgent };
      try {
        const check = { loginName: customer.loginName, password, lifetimeSeconds: SESSION_SECONDS, device };
        await provider.endSession(await provider.openSession(check));
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.reason === 'INVALID_CREDENTIALS') return false;
        throw error;
      }
    },

    async assertPassword(password: string): Promise<void> {
      assertPassword(await readPasswordRules({ identityProvider: provider }), password);
    },

    async createUser(custId: string, { fullName, password }: { fullName: string; password: string }): Promise<string> {
      const [givenName = fullName, ...rest] = fullName.trim().split(/\s+/);
      const organizationId = await home();
      const username = `customer-${custId}`;
      const names = { username, givenName, familyName: rest.join(' ') || givenName };
      try {
        return await provider.createUser({
          ...names,
          organizationId,
          email: `${username}@customers.invalid`,
          password,
        });
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason !== 'USERNAME_TAKEN') throw error;
        // Created by an attempt that died before it could record the id.
        const [made] = await provider.findUsers(username, organizationId);
        if (!made) throw error;
        await provider.setPassword(made.id, password);
        return made.id;
      }
    },
    setPassword: (userId: string, password: string): Promise<void> => provider.setPassword(userId, password),
    deleteUser: (userId: string): Promise<void> => provider.deleteUser(userId),

    async admitRequest({ address }: Client): Promise<void> {
      await counted.take(requestsOfNetwork, networkOf(address));
    },
    mayMail: (kind: 'verify' | 'reset', subject: string): Promise<{ giveBack(): Promise<void> } | null> =>
      counted.tryTake(mails[kind], subject),
  };
}

/** The id of the customers' organization, which is created when it does not exist. */
function customerOrganization(provider: IdentityProvider): () => Promise<string> {
  let organization: Promise<string> | undefined;
  return () => {
    organization ??= provider
      .findOrganization({ name: CUSTOMERS })
      .then((found) => found?.id ?? provider.createOrganization(CUSTOMERS))
      .catch((error: unknown) => {
        organization = undefined; // the next caller asks again
        throw error;
      });
    return organization;
  };
}
