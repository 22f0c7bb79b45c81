import { companyCodeOf } from '@foyer/shared/ids';

import type { IdpUser } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import type { Who } from './login-attempts.ts';
import { invalidCredentials } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/**
 * Who wants to sign in: by login name among all people, then by e-mail address; exactly one must match. An address
 * may stand in several organizations, and what is an address here may be a login name there: where a company code
 * is given, those of other organizations keep nobody from signing in to their own.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`; nobody is asked about a password before it is sure who it is
 */
export async function findPerson({ db, identityProvider }: Needs, { username, companyCode }: Who): Promise<IdpUser> {
  const everywhere = await identityProvider.findUsers(username);
  const named = companyCode
    ? await db.authOrganization.findUnique({ where: { companyCode: companyCodeOf(companyCode) } })
    : null;
  const only = onlyOne(everywhere);
  if (only && (!named?.idpOrgId || only.organizationId === named.idpOrgId)) return only;
  const there =
    named?.idpOrgId && everywhere.length > 0 ? await identityProvider.findUsers(username, named.idpOrgId) : [];
  const person = onlyOne(there) ?? only;
  if (!person) throw invalidCredentials();
  return person;
}

const onlyOne = ([person, another]: IdpUser[]) => (another ? undefined : person);
