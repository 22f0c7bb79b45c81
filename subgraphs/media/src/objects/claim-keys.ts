import type { MediaTransaction } from '@foyer/prisma/media';

/** A key is another media item's. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

const BATCH = 1000;

/** For a transaction that claims keys: a long film has tens of thousands. */
export const LONG = { timeout: 120_000, maxWait: 10_000 };

/**
 * Writes down that keys are a media item's, before anything is stored under them: of two items that want one key, one
 * gets it, and what is written down is what goes with the item.
 *
 * @throws {KeyTaken} when one of them belongs to another; the transaction must not be committed then
 */
export async function claimKeys(tx: MediaTransaction, mediaId: number, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += BATCH) {
    const batch = keys.slice(from, from + BATCH);
    await tx.storedObject.createMany({ data: batch.map((key) => ({ key, mediaId })), skipDuplicates: true });
    const ours = await tx.storedObject.count({ where: { mediaId, key: { in: batch } } });
    // Of an item whose objects are not recorded yet, the row alone says what it has.
    const theirs = await tx.media.count({ where: { id: { not: mediaId }, storageKey: { in: batch } } });
    if (ours < batch.length || theirs > 0) throw new KeyTaken('a key belongs to another media item');
  }
}
