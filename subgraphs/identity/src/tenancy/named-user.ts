import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { companyCodeOf } from '@foyer/shared/company-code';
import { uuidOf } from '@foyer/shared/ids';
import { literally } from '@foyer/shared/literal-pattern';

import { memberNotFound, nameAmbiguous } from './refusals.ts';

/** A person as an operator names one. */
export interface NamedUser {
  /** An id, a user name or an e-mail address. */
  name: string;
  companyCode: string;
}

/**
 * Finds the person whom an operator names. A user name may be the e-mail address of somebody else: then the name is
 * ambiguous.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `NAME_AMBIGUOUS`
 */
export async function findNamedUser(
  tx: Pick<IdentityTransaction, 'authUser'>,
  { name, companyCode }: NamedUser,
): Promise<AuthUser & { org: AuthOrganization }> {
  const id = uuidOf(name);
  const same = { equals: literally(name), mode: 'insensitive' as const };
  const [user, another] = await tx.authUser.findMany({
    where: {
      org: { companyCode: companyCodeOf(companyCode) },
      ...(id ? { id } : { OR: [{ username: same }, { email: same }] }),
    },
    include: { org: true },
    orderBy: { id: 'asc' },
    take: 2,
  });
  if (!user) throw memberNotFound();
  if (another) throw nameAmbiguous([user.id, another.id]);
  return user;
}
