import type { Media } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { ownPrefix, thumbnailKey } from '../storage/media-keys.ts';
import { LONG } from './claim-keys.ts';
import { objectsUnder } from './objects-under.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 1000;

/**
 * Records which objects belong to a media item from before decision 48: those that its row names, and those that
 * processing made in its folder, except what belongs to another item. Idempotent.
 */
export async function recordObjects(needs: Needs, media: Media): Promise<void> {
  const { db } = needs;
  const keys = await keysOf(needs, media);
  await db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<object[]>`SELECT 1 FROM media.media WHERE id = ${media.id} FOR UPDATE`;
    if (rows.length === 0) return; // deleted meanwhile
    for (let from = 0; from < keys.length; from += BATCH) {
      const batch = keys.slice(from, from + BATCH);
      const others = await tx.media.findMany({
        where: { id: { not: media.id }, storageKey: { in: batch } },
        select: { storageKey: true },
      });
      const theirs = new Set(others.map(({ storageKey }) => storageKey));
      const data = batch.filter((key) => !theirs.has(key)).map((key) => ({ key, mediaId: media.id }));
      await tx.storedObject.createMany({ data, skipDuplicates: true });
    }
  }, LONG);
}

async function keysOf(needs: Needs, media: Media): Promise<string[]> {
  const { storageKey, normalizedKey, manifestKey, smilKey } = media;
  const named = [storageKey, media.thumbnailKey, normalizedKey, manifestKey, smilKey];
  const upload = media.uploadId ? await needs.db.upload.findUnique({ where: { id: media.uploadId } }) : null;
  const prefix = ownPrefix(media);
  const made = prefix === null ? [] : await objectsUnder(needs, prefix);
  // Also a preview that is being drawn and an upload that is being moved at this moment.
  const perhaps = [upload?.key ?? null, media.status === 'ready' ? thumbnailKey(media) : null];
  return [...new Set([...named, ...perhaps, ...made].filter((key) => key !== null))];
}
