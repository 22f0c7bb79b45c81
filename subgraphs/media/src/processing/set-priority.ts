import type { MediaPriority } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { showInFull } from '../media/media.ts';
import { loadMedia, permitOnMedia } from '../media/permit-media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { reprioritize } from './enqueue-step.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/**
 * Changes the priority of a media item among those of its organization, for what is left of its processing and for
 * later runs.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`, `MEDIA_NOT_FOUND`
 */
export async function setPriority(needs: Needs, { id, priority }: { id: string; priority: MediaPriority }) {
  const { id: mediaId } = await permitOnMedia(needs, await loadMedia(needs, { id }), 'media:manage');
  const media = await needs.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM media.media WHERE id = ${mediaId} FOR UPDATE`; // no step is enqueued meanwhile
    const row = await tx.media.findUnique({ where: { id: mediaId } });
    if (!row) throw mediaNotFound();
    return reprioritize(needs, tx, row, priority);
  });
  needs.loaders.media.clear(id);
  return showInFull(media);
}
