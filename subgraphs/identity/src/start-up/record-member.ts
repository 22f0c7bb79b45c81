import type { AuthUser } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

import type { IdpUser } from '#ports/identity-provider.ts';
import type { StartUpNeeds } from './needs.ts';

/** Records a person of the identity provider in both stores, under one id; a known person stays unchanged. */
export async function recordMember(
  { db }: Pick<StartUpNeeds, 'db'>,
  organizationId: Id,
  person: IdpUser,
): Promise<AuthUser> {
  return db.$transaction(async (tx) => {
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
  });
}
