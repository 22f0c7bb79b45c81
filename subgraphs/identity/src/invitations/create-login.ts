import type { AuthOrganization } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { NewIdpUser } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';
import { randomPassword } from '../secrets/random-password.ts';
import { emailTaken, usernameTaken } from '../tenancy/refusals.ts';

type Person = Omit<NewIdpUser, 'organizationId'>;

const NAME_LIMIT = 200;

/**
 * Creates an invited person at the identity provider, like `createPerson`, with a password that nobody knows. Names
 * taken in other organizations must neither block the invitation nor be revealed to the inviter, so the e-mail tells
 * the invited person their login name.
 *
 * @throws {Refusal} `EMAIL_TAKEN`, `USERNAME_TAKEN` by somebody of the same organization
 */
export async function createLogin(
  needs: Pick<Context, 'identityProvider'>,
  organization: Pick<AuthOrganization, 'idpOrgId' | 'companyCode'>,
  invited: Omit<Person, 'password'>,
): Promise<{ idpUserId: string; loginName: string }> {
  const { identityProvider } = needs;
  const organizationId = organization.idpOrgId ?? '';
  // Somebody whom only the provider knows so far may have either name.
  if ((await identityProvider.findUsers(invited.email, organizationId)).length > 0) throw emailTaken();
  if ((await identityProvider.findUsers(invited.username, organizationId)).length > 0) throw usernameTaken();
  return createPerson(needs, organization, { ...invited, password: randomPassword() });
}

/**
 * Creates a person at the identity provider, where login names are unique across organizations. If somebody elsewhere
 * (perhaps a customer) has the name, it gets the company code as a prefix.
 *
 * @throws {Refusal} `USERNAME_TAKEN` by somebody of the same organization, `PASSWORD_TOO_SIMPLE`
 */
export async function createPerson(
  { identityProvider }: Pick<Context, 'identityProvider'>,
  { idpOrgId, companyCode }: Pick<AuthOrganization, 'idpOrgId' | 'companyCode'>,
  person: Person,
): Promise<{ idpUserId: string; loginName: string }> {
  const organizationId = idpOrgId ?? '';
  const create = async (username: string) => {
    const idpUserId = await identityProvider.createUser({ ...person, username, organizationId });
    return { idpUserId, loginName: username };
  };
  try {
    return await create(person.username);
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'USERNAME_TAKEN')) throw error;
    if ((await identityProvider.findUsers(person.username, organizationId)).length > 0) throw error;
    return create(nameWithCode(companyCode, person.username));
  }
}

/** The login name of a person whose user name somebody in another organization has. */
export const nameWithCode = (companyCode: string, username: string): string =>
  `${companyCode.toLowerCase()}/${username}`.slice(0, NAME_LIMIT);
