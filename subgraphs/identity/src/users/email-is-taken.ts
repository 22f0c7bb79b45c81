import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/** Whether anybody has this address, in any case, here or at the identity provider: for who may know of everybody. */
export async function emailIsTaken({ db, identityProvider }: Needs, email: string): Promise<boolean> {
  const [here] = await db.$queryRaw<unknown[]>`SELECT 1 FROM auth.users WHERE lower(email) = lower(${email}) LIMIT 1`;
  return here !== undefined || (await identityProvider.findUsers(email)).length > 0;
}

/** Whether somebody of this organization has this user name or address, in any case. */
export async function whatIsTaken(
  db: Pick<IdentityDatabase, '$queryRaw'>,
  { organizationId, username, email }: { organizationId: Id; username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const [taken] = await db.$queryRaw<{ username: boolean; email: boolean }[]>`
    SELECT coalesce(bool_or(lower(u.email) = lower(${email}) OR lower(a.email) = lower(${email})), false) AS "email",
           coalesce(bool_or(lower(u.username) = lower(${username})), false) AS "username"
    FROM auth.users a JOIN tenancy.users u ON u.id = a.id
    WHERE a.org_id = ${organizationId}::uuid`;
  return taken ?? { username: false, email: false };
}
