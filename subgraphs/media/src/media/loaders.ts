import type { Media as MediaRow } from '@foyer/prisma/client';
import type { MediaDatabase } from '@foyer/prisma/media';
import { rowId } from '@foyer/shared/ids';
import DataLoader from 'dataloader';

/** The loaders of one request: each reads all ids that were requested at once in one query. */
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
