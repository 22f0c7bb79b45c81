import type { AuthOrganization } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { randomPassword } from '../passwords/random-password.ts';
import { emailTaken, usernameTaken } from './refusals.ts';

interface Invited {
  username: string;
  email: string;
  givenName: string;
  familyName: string;
}

const NAME_LIMIT = 200;

/**
 * Makes an invited person at the identity provider, whose login names are unique among all organizations. One that
 * somebody elsewhere has (a customer, perhaps) gets the company code before it: whoever invites must neither be
 * kept from it nor learn of it. The letter tells the invited person what to type.
 *
 * @throws {Refusal} `EMAIL_TAKEN`, `USERNAME_TAKEN` by somebody of the same organization
 */
export async function createLogin(
  { identityProvider }: Pick<Context, 'identityProvider'>,
  { idpOrgId, companyCode }: Pick<AuthOrganization, 'idpOrgId' | 'companyCode'>,
  invited: Invited,
): Promise<{ idpUserId: string; loginName: string }> {
  const organizationId = idpOrgId ?? '';
  // Somebody whom only the provider knows yet, by the one name or the other.
  if ((await identityProvider.findUsers(invited.email, organizationId)).length > 0) throw emailTaken();
  if ((await identityProvider.findUsers(invited.username, organizationId)).length > 0) throw usernameTaken();
  const create = async (username: string) => {
    const password = randomPassword();
    const idpUserId = await identityProvider.createUser({ ...invited, username, organizationId, password });
    return { idpUserId, loginName: username };
  };
  try {
    return await create(invited.username);
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'USERNAME_TAKEN')) throw error;
    if ((await identityProvider.findUsers(invited.username, organizationId)).length > 0) throw error;
    return create(`${companyCode.toLowerCase()}/${invited.username}`.slice(0, NAME_LIMIT));
  }
}
