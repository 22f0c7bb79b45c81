import type { MediaDatabase } from '@foyer/prisma/media';
import { rowId } from '@foyer/shared/ids';
import type { MediaDirectory } from '@foyer/shared/media-directory';
import type { Permissions } from '@foyer/shared/auth/permissions';

import { mayOnMedia } from '../media/permit-media.ts';

/** Opens the directory by which other subgraphs look up media: by the rule that decides who may see an item. */
export const openMediaDirectory = ({
  db,
  permissions,
}: {
  db: MediaDatabase;
  permissions: Permissions;
}): MediaDirectory => ({
  async findVisible(viewer, id) {
    const row = await db.media.findUnique({
      where: { id: rowId(id) },
      select: { id: true, organizationId: true, workspaceId: true, visibility: true },
    });
    return row && (await mayOnMedia({ viewer, permissions }, row, 'media:view')) ? row.id : null;
  },
});
