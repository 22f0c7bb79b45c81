import type { MediaVisibility } from '@foyer/prisma/client';
import type { MediaDatabase } from '@foyer/prisma/media';
import { LRUCache } from 'lru-cache';

/** Who may read an object: everybody, nobody, or the holders of a link to this media item. */
export type Access = 'everybody' | 'nobody' | { mediaId: number };

type Database = Pick<MediaDatabase, '$queryRaw' | 'media'>;

/** A change of visibility takes effect after this time at the latest. */
const REMEMBERED_MS = 2_000;
const REMEMBERED = 10_000;

/**
 * Returns the function that decides who may read the object under a key. It reads whose object that is, and remembers it
 * for a moment: a player reads the same files again and again. While the database is away, what was known stays valid.
 *
 * @param unownedIsPublic whether everybody may read an object that belongs to no media item, such as one that was in the
 *   bucket before Foyer
 */
export function openAccess(
  db: Database,
  { unownedIsPublic, rememberedMs = REMEMBERED_MS }: { unownedIsPublic: boolean; rememberedMs?: number },
): (key: string) => Promise<Access> {
  const known = new LRUCache<string, Access | 'unowned'>({
    max: REMEMBERED,
    ttl: rememberedMs,
    // Not by the cache's own option for stale values, which answers nothing for an unknown key instead of failing.
    fetchMethod: (key, before) =>
      ownersAccess(db, key).catch((error: unknown) => {
        if (before === undefined) throw error;
        return before;
      }),
  });
  return async (key) => {
    const access = await known.forceFetch(key); // fails rather than to answer nothing
    if (access !== 'unowned') return access;
    known.delete(key); // an item may claim the key at any moment
    return unownedIsPublic || (await isMigrating(db)) ? 'everybody' : 'nobody';
  };
}

interface Owner {
  mediaId: number;
  /** Null when the item was deleted: its files are about to be removed, or were kept for nobody. */
  visibility: MediaVisibility | null;
}

/** Returns who may read an object by the item that it belongs to. */
async function ownersAccess(db: Database, key: string): Promise<Access | 'unowned'> {
  const [owner] = await db.$queryRaw<Owner[]>`
    SELECT o.media_id AS "mediaId", m.visibility::text AS visibility
    FROM media.stored_object o LEFT JOIN media.media m ON m.id = o.media_id WHERE o.key = ${key}`;
  if (!owner) return 'unowned';
  if (owner.visibility === null) return 'nobody';
  return owner.visibility === 'PUBLIC' ? 'everybody' : { mediaId: owner.mediaId };
}

/** Whether there are items from before decision 48, whose objects have no recorded owner yet. All of them are public. */
const isMigrating = async (db: Database) =>
  (await db.media.findFirst({ where: { objectsRecorded: false }, select: { id: true } })) !== null;
