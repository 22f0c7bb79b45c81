import type { AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { IdpUser } from '#ports/identity-provider.ts';
import { wasRemoved } from '../at-provider/removals.ts';
import { busy } from '../limits/refusals.ts';
import type { StartUpNeeds } from './needs.ts';

/**
 * Records a person of the identity provider in both stores, under one id; a known person stays unchanged.
 *
 * @throws {Refusal} `BUSY` when they were removed a moment ago
 */
export const recordMember = ({ db }: Pick<StartUpNeeds, 'db'>, organizationId: Id, person: IdpUser) =>
  db.$transaction((tx) => recordMemberWithin(tx, organizationId, person));

/** Like `recordMember`, in the transaction of a larger change. */
export async function recordMemberWithin(
  tx: IdentityTransaction,
  organizationId: Id,
  person: IdpUser,
): Promise<AuthUser> {
  if (await wasRemoved(tx, person.id)) throw busy();
  const user = await tx.authUser.upsert({
    where: { idpUserId: person.id },
    create: { idpUserId: person.id, orgId: organizationId, username: person.username, email: person.email },
    update: {},
  });
  await tx.user.createMany({
    data: {
      id: user.id,
      organizationId: user.orgId,
      username: person.username,
      email: person.email,
      firstName: person.givenName,
      lastName: person.familyName,
    },
    skipDuplicates: true,
  });
  return user;
}
