import { Prisma } from '@foyer/prisma/client';
import type { User } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Staff } from '@foyer/shared/auth/viewer';
import { inBatches } from '@foyer/shared/in-batches';

import { selectWorkspaceRoles, type WorkspaceRoles } from './workspace-roles.ts';

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
    async run(viewers: readonly Staff[]) {
      const different = [...new Map(viewers.map((viewer) => [keyOf(viewer), viewer])).values()];
      const found = await readRecords(db, different);
      const records = new Map(found.map(({ key, ...record }) => [key, record]));
      return viewers.map((viewer) => records.get(keyOf(viewer)) ?? null);
    },
  });

const keyOf = ({ userId, organizationId }: Staff) => `${userId} ${organizationId}`;

const workspaces = selectWorkspaceRoles(Prisma.sql`u.id`, Prisma.sql`w.organization_id = o.id`);

const readRecords = (db: Pick<IdentityDatabase, '$queryRaw'>, viewers: readonly Staff[]) =>
  db.$queryRaw<(ViewerRecord & { key: string })[]>`
    SELECT u.id || ' ' || o.id AS key, u.id, u.organization_id AS "organizationId", u.username, u.email,
           u.first_name AS "firstName", u.last_name AS "lastName", o.name AS "organizationName",
           p.role_id AS "platformRole",
           (SELECT coalesce(json_agg(r), '[]') FROM (${workspaces}) r) AS workspaces
    FROM unnest(${viewers.map(({ userId }) => userId)}::uuid[],
                ${viewers.map(({ organizationId }) => organizationId)}::uuid[]) AS v (user_id, organization_id)
    JOIN tenancy.users u ON u.id = v.user_id
    JOIN tenancy.organizations o ON o.id = v.organization_id
    LEFT JOIN tenancy.platform_members p ON p.user_id = u.id`;
