import type { AuthOrganization } from '@foyer/prisma/client';

import type { IdpUser } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import type { LoginIdentifiers } from './login-attempts.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';
import { invalidCredentials } from '../sessions/refusals.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/** A person as the provider knows them, and the local organization with the company code that they typed. */
export interface Identified {
  person: IdpUser;
  /** Null for mobile clients that send no code. */
  named: AuthOrganization | null;
}

/**
 * Finds the person who logs in: by login name among all people, then by e-mail address; exactly one must match. An
 * address may occur in several organizations, and an address here may be a login name there: with a company code,
 * people of other organizations do not block a login.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`; no password is checked before the user is known
 */
export async function findIdpUser(
  { db, identityProvider }: Needs,
  { username, companyCode }: LoginIdentifiers,
): Promise<Identified> {
  const [everywhere, named] = await Promise.all([
    identityProvider.findUsers(username),
    companyCode ? organizationByCode(db, companyCode) : null,
  ]);
  const only = onlyOne(everywhere);
  if (!companyCode) {
    if (!only) throw invalidCredentials();
    return { person: only, named: null };
  }
  // Never check a password for another organization: each company code would be a subject of its own to guess under.
  if (!named?.idpOrgId) throw invalidCredentials();
  if (only?.organizationId === named.idpOrgId) return { person: only, named };
  const there = everywhere.length > 0 ? onlyOne(await identityProvider.findUsers(username, named.idpOrgId)) : undefined;
  if (!there) throw invalidCredentials();
  return { person: there, named };
}

const onlyOne = ([person, another]: IdpUser[]) => (another ? undefined : person);
