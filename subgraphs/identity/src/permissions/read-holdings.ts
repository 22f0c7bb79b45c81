import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Staff } from '@foyer/shared/auth/viewer';

/**
 * Reads what viewers hold: their account, all their roles, what custom roles grant, the workspaces of their
 * organizations, and `token` and `session` while these are not revoked.
 *
 * @returns of each of these viewers all of it, each as a short text
 */
export async function readHoldings(
  db: IdentityDatabase,
  viewers: readonly Staff[],
): Promise<(viewer: Staff) => ReadonlySet<string>> {
  const userIds = [...new Set(viewers.map(({ userId }) => userId))];
  const sessionIds = [...new Set(viewers.map(({ sessionId }) => sessionId))];
  const [held, blocks, ended] = await Promise.all([
    heldBy(db, userIds),
    db.userBlock.findMany({ where: { userId: { in: userIds } } }),
    db.$queryRaw<{ id: string }[]>`
      SELECT payload ->> 'session_id' AS id FROM auth.outbox
      WHERE user_id = ANY (${userIds}::uuid[]) AND topic = 'session_revoked'
        AND payload ->> 'session_id' = ANY (${sessionIds}::text[])`,
  ]);
  const notBefore = new Map(blocks.map((block) => [block.userId, Math.floor(block.notBefore.getTime() / 1_000)]));
  const endedSessions = new Set(ended.map(({ id }) => id));
  const byUser = Map.groupBy(held, ({ userId }) => userId);

  return ({ userId, sessionId, issuedAt }) =>
    new Set([
      ...(byUser.get(userId) ?? []).map(({ what }) => what),
      ...(issuedAt < (notBefore.get(userId) ?? 0) ? [] : ['token']),
      ...(endedSessions.has(sessionId) ? [] : ['session']),
    ]);
}

/** One round trip for all viewers. */
const heldBy = (db: IdentityDatabase, userIds: readonly string[]) =>
  db.$queryRaw<{ userId: string; what: string }[]>`
    WITH people AS (SELECT unnest(${userIds}::uuid[]) AS user_id),
    roles AS (
      SELECT p.user_id, 'the platform' AS place, m.role_id
      FROM people p JOIN tenancy.platform_members m USING (user_id)
      UNION ALL
      SELECT p.user_id, m.organization_id::text, m.role_id
      FROM people p JOIN tenancy.organization_members m USING (user_id)
      UNION ALL
      SELECT p.user_id, m.workspace_id::text, m.role
      FROM people p JOIN tenancy.workspace_members m USING (user_id)
      UNION ALL
      SELECT p.user_id, 'team ' || g.workspace_id, g.role_id
      FROM people p JOIN tenancy.team_members t USING (user_id) JOIN tenancy.team_workspace_roles g USING (team_id)
    )
    SELECT user_id AS "userId", 'role ' || role_id || ' in ' || place AS what FROM roles
    UNION
    SELECT r.user_id, 'permission ' || g.permission || ' of ' || r.role_id
    FROM roles r JOIN tenancy.role_permissions g USING (role_id)
    UNION
    SELECT p.user_id, 'workspace ' || w.id
    FROM people p JOIN tenancy.organization_members m USING (user_id) JOIN tenancy.workspaces w USING (organization_id)
    UNION
    SELECT p.user_id, 'account ' || u.account_state FROM people p JOIN auth.users u ON u.id = p.user_id`;
