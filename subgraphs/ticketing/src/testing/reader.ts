import { idOf } from '@foyer/prisma/testing/grown-database';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { systemClock } from '@foyer/shared/clock';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';

/** The permissions to read everything. */
const permissions = new Set([
  'orders:view',
  'notifications:view',
  'catalogue:view',
  'campaign:view',
  'advertising:view',
]);
const organizationId = readId(idOf('o7'));

/** The context of somebody who may read everything of the organization `o7`, in its workspaces `w7` and `w27`. */
export const readerOf = (db: TicketingDatabase) => ({
  db,
  clock: systemClock,
  viewer: { kind: 'staff', organizationId } as Viewer,
  permissions: {
    onPlatform: async () => new Set<string>(),
    inOrganization: async () => permissions,
    inWorkspace: async () => ({ organizationId, permissions }),
    workspacesWith: async () => [readId(idOf('w7')), readId(idOf('w27'))],
  },
});
