import type { MediaTransaction } from '@foyer/prisma/media';

/** A key belongs to another media item. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

const BATCH = 1000;

/** The timeouts of a transaction that claims keys: a long film has tens of thousands. */
export const LONG = { timeout: 120_000, maxWait: 10_000 };

/**
 * Records that keys belong to a media item, before anything is stored under them. Of two items that want the same key, one
 * gets it; what is recorded is what a deletion of the item removes.
 *
 * @throws {KeyTaken} when one of them belongs to another item; the transaction must then be rolled back
 */
export async function claimKeys(tx: MediaTransaction, mediaId: number, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += BATCH) {
    const batch = keys.slice(from, from + BATCH);
    await tx.storedObject.createMany({ data: batch.map((key) => ({ key, mediaId })), skipDuplicates: true });
    const ours = await tx.storedObject.count({ where: { mediaId, key: { in: batch } } });
    // An item whose objects are not recorded yet owns what its row names.
    const theirs = await tx.media.count({ where: { id: { not: mediaId }, storageKey: { in: batch } } });
    if (ours < batch.length || theirs > 0) throw new KeyTaken('a key belongs to another media item');
  }
}
