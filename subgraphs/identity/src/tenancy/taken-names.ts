import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/**
 * Whether anybody has this address, in any case, here or at the identity provider: only for callers who may know of
 * everybody.
 */
export async function emailIsTaken({ db, identityProvider }: Needs, email: string): Promise<boolean> {
  const [here] = await db.$queryRaw<unknown[]>`SELECT 1 FROM auth.users WHERE lower(email) = lower(${email}) LIMIT 1`;
  return here !== undefined || (await identityProvider.findUsers(email)).length > 0;
}

/**
 * Whether somebody of this organization has this user name or address, in any case, as either: people log in with both.
 * Simultaneous callers see each other's rows only under `lockOrganization`.
 */
export async function whatIsTaken(
  db: Pick<IdentityDatabase, '$queryRaw'>,
  { organizationId, username, email }: { organizationId: Id; username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const [taken] = await db.$queryRaw<{ username: boolean; email: boolean }[]>`
    SELECT coalesce(bool_or(lower(${email}) = ANY (names)), false) AS "email",
           coalesce(bool_or(lower(${username}) = ANY (names)), false) AS "username"
    FROM auth.users a JOIN tenancy.users u ON u.id = a.id
    CROSS JOIN LATERAL (
      SELECT ARRAY[lower(u.email), lower(a.email), lower(u.username), lower(a.username)] AS names
    ) n
    WHERE a.org_id = ${organizationId}::uuid`;
  return taken ?? { username: false, email: false };
}
