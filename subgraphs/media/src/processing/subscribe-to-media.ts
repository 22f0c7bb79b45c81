import { rowId, type GivenId } from '@foyer/shared/ids';
import { doorbell, newsOf } from '@foyer/shared/events/watch';

import type { Context } from '../context.ts';
import { inFull, type VisibleMedia } from '../media/media.ts';
import { permitMedia, permitOnMedia } from '../media/permit-media.ts';
import { channels } from '../topics.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'notices' | 'signal'>;

/**
 * Tells how far the processing of a media item is, and again whenever that has changed, whichever
 * process changed it, until it has ended.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, or `MEDIA_NOT_FOUND`, also for someone else's, and once it is removed
 */
export async function watchProgress(needs: Needs, id: string): Promise<AsyncIterableIterator<VisibleMedia>> {
  const { db, notices, signal } = needs;
  const find = async () => permitOnMedia(needs, await db.media.findUnique({ where: { id: rowId(id) } }), 'media:view');
  const bell = doorbell(signal);
  // Listen first, then look: nothing is missed.
  bell.onEnd(notices.on(channels.library, (said) => (said === null || said.startsWith(`${id}/`)) && bell.ring()));
  try {
    let next: Awaited<ReturnType<typeof find>> | null = await find();
    let told = '';
    const look = async () => {
      const media = next ?? (await find());
      next = null;
      const saying = JSON.stringify([media.status, media.transcodingStage, media.progress, media.run]);
      if (saying === told) return [];
      told = saying;
      return [inFull(media)];
    };
    return newsOf<VisibleMedia>({
      bell,
      look,
      isLast: (media) => media.transcodingStage === 'done' || media.transcodingStage === 'failed',
    });
  } catch (error) {
    bell.end();
    throw error;
  }
}

/** A media item of a library as it is now; null when it was removed. */
export interface MediaChange {
  mediaId: number;
  media: VisibleMedia | null;
}

/** How many are told of at once. */
const BATCH = 100;

/**
 * Tells what is being processed in a workspace, and then of every media item that appears, changes or
 * goes there.
 *
 * @throws {Refusal} as the list of the workspace's media, also later, when the permission is lost
 */
export async function watchLibrary(needs: Needs, given: GivenId): Promise<AsyncIterableIterator<MediaChange>> {
  const { db, notices, signal } = needs;
  const { workspaceId } = await permitMedia(needs, given, 'media:view');
  const bell = doorbell(signal);
  const changed = new Set<number>();
  let since: Date | null = null;
  const hear = (said: string | null) => {
    const [id, workspace] = said?.split('/') ?? [];
    if (said !== null && workspace !== workspaceId) return;
    if (said === null) since ??= new Date(Date.now() - MISSED_MS);
    else changed.add(Number(id));
    bell.ring();
  };
  bell.onEnd(notices.on(channels.library, hear));
  try {
    let first = true;
    const look = async (): Promise<MediaChange[]> => {
      await permitMedia(needs, workspaceId, 'media:view');
      const ids = [...changed].slice(0, BATCH);
      for (const id of ids) changed.delete(id);
      const missed = since;
      since = null;
      const rows = await db.media.findMany({
        where: {
          workspaceId,
          OR: [
            { id: { in: ids } },
            ...(first ? [{ transcodingStage: { notIn: ['done' as const, 'failed' as const] } }] : []),
            ...(missed ? [{ updatedAt: { gte: missed } }] : []),
          ],
        },
        orderBy: { id: 'asc' },
      });
      first = false;
      const gone = ids.filter((id) => rows.every((row) => row.id !== id));
      return [
        ...rows.map((row) => ({ mediaId: row.id, media: inFull(row) })),
        ...gone.map((id) => ({ mediaId: id, media: null })),
      ];
    };
    return newsOf({ bell, look });
  } catch (error) {
    bell.end();
    throw error;
  }
}

/** How long the connection to the news may have been away, in milliseconds. */
const MISSED_MS = 60_000;
