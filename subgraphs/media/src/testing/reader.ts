import { idOf } from '@foyer/prisma/testing/grown-database';
import type { MediaDatabase } from '@foyer/prisma/media';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';

const permissions = new Set(['media:view', 'device:view']);
const organizationId = readId(idOf('o7'));

/** The context of somebody who may look into the workspaces `w7` and `w27` of the organization `o7`. */
export const readerOf = (db: MediaDatabase) => ({
  db,
  viewer: { kind: 'staff', organizationId } as Viewer,
  permissions: {
    onPlatform: async () => new Set<string>(),
    inOrganization: async () => permissions,
    inWorkspace: async () => ({ organizationId, permissions }),
    workspacesWith: async () => [readId(idOf('w7')), readId(idOf('w27'))],
  },
});
