import type { Media as MediaRow } from '@foyer/prisma/client';
import type { MediaDatabase } from '@foyer/prisma/media';
import { rowId } from '@foyer/shared/ids';
import DataLoader from 'dataloader';

/** What one request reads by id, in one query for all of them. */
export interface Loaders {
  media: DataLoader<string, MediaRow | null>;
}

export const openLoaders = (db: MediaDatabase): Loaders => ({
  media: new DataLoader(async (ids) => {
    const rows = await db.media.findMany({ where: { id: { in: ids.map(rowId) } } });
    const byId = new Map(rows.map((row) => [String(row.id), row]));
    return ids.map((id) => byId.get(id) ?? null);
  }),
});
