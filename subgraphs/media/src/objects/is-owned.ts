import type { MediaTransaction } from '@foyer/prisma/media';

/** Whether what lies under a key belongs to a media item. */
export async function isOwned(tx: Pick<MediaTransaction, 'storedObject' | 'media'>, key: string): Promise<boolean> {
  const recorded = await tx.storedObject.count({ where: { key } });
  const named = await tx.media.count({ where: { OR: [{ storageKey: key }, { thumbnailKey: key }] } });
  return recorded + named > 0;
}
