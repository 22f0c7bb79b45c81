import type { Media as MediaRow } from '@foyer/prisma/client';
import { defineJob } from '@foyer/shared/jobs';
import { z } from 'zod';

import { ownPrefix, thumbnailKey } from '../processing/keys.ts';

/** What the store is to lose with a media item that is gone. */
export const Purge = z.object({ prefix: z.string().nullable(), keys: z.array(z.string()) });
export type Purge = z.output<typeof Purge>;

/** Promised with the deletion itself: a store that is away, or a process that dies, leaves nothing behind. */
export const purgeMediaJob = defineJob({
  name: 'media.purge-media',
  data: Purge,
  retries: 12,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 600,
  expireSeconds: 3_600,
});

/**
 * What belongs to a media item: its own folder whole, or in the flat layout each of its files. A thumbnail that
 * is being drawn at this moment, and an upload that is being moved, are among them.
 *
 * @param uploadKey where its upload arrived
 */
export function purgeOf(media: MediaRow, uploadKey: string | null): Purge {
  const { storageKey, normalizedKey, manifestKey, smilKey } = media;
  const keys = [storageKey, media.thumbnailKey, normalizedKey, manifestKey, smilKey, thumbnailKey(media), uploadKey];
  return {
    prefix: media.ownFolder ? `${ownPrefix(media)}/` : null,
    keys: [...new Set(keys.filter((key) => key !== null))],
  };
}
