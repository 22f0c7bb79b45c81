import type { Media as MediaRow } from '@foyer/prisma/client';
import { rowId, type GivenId, type Id } from '@foyer/shared/ids';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import type { Context } from '../context.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { permitMedia, permitOnMedia } from '../media/permit-media.ts';
import { topics } from '../topics.ts';
import { unfinished } from './plan.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'events' | 'signal'>;

/**
 * Subscribes to the processing of a media item: how far it is now, and again whenever any process changes that, until
 * processing ends.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, or `MEDIA_NOT_FOUND`: also for an item that the viewer may not see, and when it is removed
 */
export async function subscribeToProgress(needs: Needs, id: string): Promise<AsyncIterableIterator<VisibleMedia>> {
  const { db, events, signal } = needs;
  const find = async () => permitOnMedia(needs, await db.media.findUnique({ where: { id: rowId(id) } }), 'media:view');
  const changes = changeSignal(signal);
  // Subscribe before the first look, so that no change is missed.
  changes.onEnd(
    events.subscribe(
      topics.library,
      (payload) => (payload === null || payload.startsWith(`${id}/`)) && changes.notify(),
    ),
  );
  try {
    let next: Awaited<ReturnType<typeof find>> | null = await find();
    let shown = '';
    const read = async () => {
      const media = next ?? (await find());
      next = null;
      const state = shownOf(media);
      if (state === shown) return [];
      shown = state;
      return [showInFull(media)];
    };
    return readChanges<VisibleMedia>({
      changes,
      read,
      isLast: (media) => media.transcodingStage === 'done' || media.transcodingStage === 'failed',
    });
  } catch (error) {
    changes.end();
    throw error;
  }
}

/** What changes with every sign of life, or with what other items do, is no change of a media item. */
const unseen = new Set(['attemptId', 'attemptSeenAt', 'tries', 'queuePlace', 'etag', 'objectsRecorded', 'updatedAt']);

const shownOf = (media: MediaRow): string =>
  JSON.stringify(media, (name, value: unknown) =>
    unseen.has(name) ? undefined : typeof value === 'bigint' ? value.toString() : value,
  );

/** A change in a library. */
export interface MediaChange {
  mediaId: number;
  /** The item as it is now; null when it was removed. */
  media: VisibleMedia | null;
}

/** How many changed items are read at once. */
const BATCH = 100;

/**
 * Subscribes to the library of a workspace: the items that are being processed, and then every item that is created,
 * changed or deleted. Before that, and whenever events may have been missed, it yields null: what was read of the library
 * until then may be old.
 *
 * @throws {Refusal} as the list of the workspace's media does, also later, when the viewer loses the permission
 */
export async function subscribeToLibrary(
  needs: Needs,
  given: GivenId,
): Promise<AsyncIterableIterator<MediaChange | null>> {
  const { db, events, signal } = needs;
  const { workspaceId } = await permitMedia(needs, given, 'media:view');
  const changes = changeSignal(signal);
  const changed = new Set<number>();
  let missed = true;
  const onEvent = (payload: string | null) => {
    const [id, workspace] = payload?.split('/') ?? [];
    if (payload !== null && workspace !== workspaceId) return;
    if (payload === null) missed = true;
    else changed.add(Number(id));
    changes.notify();
  };
  changes.onEnd(events.subscribe(topics.library, onEvent));

  async function read(): Promise<(MediaChange | null)[]> {
    await permitMedia(needs, workspaceId, 'media:view');
    // What changes during the read is read again afterwards.
    const ids = [...changed].slice(0, BATCH);
    const isBeginning = missed;
    for (const id of ids) changed.delete(id);
    missed = false;
    try {
      const found = await readChanged(db, workspaceId, ids, isBeginning);
      return isBeginning ? [null, ...found] : found;
    } catch (error) {
      for (const id of ids) changed.add(id);
      missed ||= isBeginning;
      throw error;
    }
  }
  return readChanges({ changes, read });
}

async function readChanged(
  db: Needs['db'],
  workspaceId: Id | null,
  ids: readonly number[],
  withProcessed: boolean,
): Promise<MediaChange[]> {
  const rows = await db.media.findMany({
    where: {
      workspaceId,
      OR: [{ id: { in: [...ids] } }, ...(withProcessed ? [{ transcodingStage: { in: unfinished } }] : [])],
    },
    orderBy: { id: 'asc' },
  });
  const gone = ids.filter((id) => rows.every((row) => row.id !== id));
  return [
    ...rows.map((row) => ({ mediaId: row.id, media: showInFull(row) })),
    ...gone.map((id) => ({ mediaId: id, media: null })),
  ];
}
