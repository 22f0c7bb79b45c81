import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

/** The role of one person in one organization. */
export interface RoleOfUser {
  userId: Id;
  organizationId: Id;
  role: string;
}

/**
 * Finds the role that the next token of a person carries. Without an organization it is the role in the person's own,
 * or else in the first one they are a member of, in the order of ids.
 */
export async function findRoleOfUser(
  db: Pick<IdentityTransaction, '$queryRaw'>,
  { userId, organizationId }: { userId: Id; organizationId?: Id | null | undefined },
): Promise<RoleOfUser | null> {
  const [member] = await db.$queryRaw<RoleOfUser[]>`
    SELECT m.user_id AS "userId", m.organization_id AS "organizationId", m.role_id AS "role"
    FROM tenancy.organization_members m JOIN tenancy.users u ON u.id = m.user_id
    WHERE m.user_id = ${userId}::uuid
      AND (${organizationId ?? null}::uuid IS NULL OR m.organization_id = ${organizationId ?? null}::uuid)
    ORDER BY m.organization_id = u.organization_id DESC, m.organization_id
    LIMIT 1`;
  return member ?? null;
}
