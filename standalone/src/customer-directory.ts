import { Refusal } from '@foyer/shared/errors';
import type { IdentityProvider } from '@foyer/identity/identity-provider';
import type { CustomerDirectory } from '@foyer/ticketing/customer-directory';

const CUSTOMERS = 'Foyer customers';
const SESSION_SECONDS = 60;

const emailTaken = () => new Refusal('CONFLICT', 'EMAIL_TAKEN', 'Somebody has registered with this e-mail address.');

/**
 * Customers in the identity provider: they have one organization of their own there, and ticketing
 * learns of them only by this directory.
 */
export function customerDirectory(provider: IdentityProvider): CustomerDirectory {
  let organization: Promise<string> | undefined;
  const organizationId = () => {
    organization ??= provider
      .findOrganization({ name: CUSTOMERS })
      .then((found) => found?.id ?? provider.createOrganization(CUSTOMERS))
      .catch((error: unknown) => {
        organization = undefined; // the next caller asks again
        throw error;
      });
    return organization;
  };

  async function check(email: string, password: string) {
    const home = await organizationId();
    const customer = (await provider.findUsers(email)).find((user) => user.organizationId === home);
    try {
      // Also for nobody: a stranger must not learn from the answer or its time who has registered.
      const session = await provider.openSession({
        loginName: customer?.loginName ?? email,
        password,
        lifetimeSeconds: SESSION_SECONDS,
        device: { address: '', description: 'storefront' },
      });
      await provider.endSession(session);
    } catch (error) {
      if (error instanceof Refusal && error.reason === 'INVALID_CREDENTIALS') return null;
      throw error;
    }
    return customer ? { userId: customer.id } : null;
  }

  return {
    check,
    async register(email, password, fullName) {
      const [givenName = fullName, ...rest] = fullName.trim().split(/\s+/);
      const home = await organizationId();
      // A login name goes before an address: under this one, its owner in another organization could not sign in any more.
      if ((await provider.findUsers(email)).some((user) => user.organizationId !== home)) throw emailTaken();
      try {
        const userId = await provider.createUser({
          organizationId: home,
          username: email,
          email,
          givenName,
          familyName: rest.join(' ') || givenName,
          password,
        });
        return { userId };
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason !== 'USERNAME_TAKEN') throw error;
        const same = await check(email, password);
        if (!same) throw emailTaken();
        return same;
      }
    },
  };
}
