import { Prisma } from '@foyer/prisma/client';
import type { User } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Staff } from '@foyer/shared/auth/viewer';
import { inBatches } from '@foyer/shared/in-batches';

import { byWorkspace, selectWorkspaceRoles, type WorkspaceRole, type WorkspaceRoles } from './workspace-roles.ts';

/** What the live records say of a viewer in the organization of the token. */
interface ViewerRecord extends Pick<User, 'id' | 'organizationId' | 'username' | 'email' | 'firstName' | 'lastName'> {
  organizationName: string;
  platformRole: string | null;
  workspaces: WorkspaceRoles[];
}

/**
 * Reads the record of a viewer; null when the person or the organization has been deleted. Viewers who ask while a
 * statement runs share the next one, so a record is never older than its request.
 */
export type ReadViewer = (viewer: Staff) => Promise<ViewerRecord | null>;

export const viewerRecords = (db: Pick<IdentityDatabase, '$queryRaw'>): ReadViewer =>
  inBatches({
    keyOf: () => '',
    isOfAll: () => true,
    async run(viewers: readonly Staff[]) {
      const different = new Map(
        viewers.map((viewer) => [keyOf(viewer), { userId: viewer.userId, organizationId: viewer.organizationId }]),
      );
      const found = await readRecords(db, [...different.values()]);
      const records = new Map(
        found.map(({ key, workspaces, ...record }) => [key, { ...record, workspaces: byWorkspace(workspaces) }]),
      );
      return viewers.map((viewer) => records.get(keyOf(viewer)) ?? null);
    },
  });

const keyOf = ({ userId, organizationId }: Staff) => `${userId} ${organizationId}`;

const workspaces = selectWorkspaceRoles(Prisma.sql`u.id`, Prisma.sql`w.organization_id = o.id`);

interface Row extends Omit<ViewerRecord, 'workspaces'> {
  key: string;
  workspaces: WorkspaceRole[];
}

/**
 * The viewers are JSON and not arrays: PostgreSQL plans a statement with arrays for their lengths, each time again, which
 * takes five times as long as executing it.
 */
const readRecords = (
  db: Pick<IdentityDatabase, '$queryRaw'>,
  viewers: readonly Pick<Staff, 'userId' | 'organizationId'>[],
) =>
  db.$queryRaw<Row[]>`
    SELECT u.id || ' ' || o.id AS key, u.id, u.organization_id AS "organizationId", u.username, u.email,
           u.first_name AS "firstName", u.last_name AS "lastName", o.name AS "organizationName",
           p.role_id AS "platformRole",
           (SELECT coalesce(json_agg(r), '[]') FROM (${workspaces}) r) AS workspaces
    FROM json_to_recordset(${JSON.stringify(viewers)}::json) AS v ("userId" uuid, "organizationId" uuid)
    JOIN tenancy.users u ON u.id = v."userId"
    JOIN tenancy.organizations o ON o.id = v."organizationId"
    LEFT JOIN tenancy.platform_members p ON p.user_id = u.id`;
