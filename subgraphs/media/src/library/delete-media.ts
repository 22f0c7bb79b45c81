import type { Media as MediaRow } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Context } from '../context.ts';
import { recordObjects } from '../objects/record-objects.ts';
import { forEachItem, type ItemOutcome } from '../media/each-item.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { countUnpurged } from '../quotas/usage.ts';
import { purgeMedia } from './purge-media.ts';
import { purgeMediaJob, type Purge } from './purge.ts';
import { mediaNotFound } from '../media/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock' | 'jobs' | 'store' | 'loaders' | 'log'>;

/** By then an attempt that was running has noticed that its media item was deleted. */
const AFTERMATH_MS = 60_000;
/** By then an attempt that could not notice, such as a copy of many gigabytes inside the store, has ended. */
const OVER_MS = 24 * 3_600_000;

/**
 * Deletes a media item, and with `purge` its files. Processing that is under way ends by itself, as it finds no row any
 * more that it could write to.
 */
export async function deleteMedia(needs: Needs, given: GivenMedia & { purge: boolean }) {
  const purged = await deleteRow(needs, given);
  // Purge now where possible; the job repeats it, for what was being written meanwhile.
  if (purged)
    await purgeMedia(needs, purged).catch((error: unknown) =>
      needs.log.warn({ err: error, id: given.id }, 'purged later'),
    );
  return { id: given.id, purged: given.purge };
}

/**
 * Deletes many media items. Jobs remove their files, so that the answer does not wait for the store.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED`; the refusal of one item is in its outcome
 */
export const deleteMediaItems = (
  needs: Needs,
  { mediaIds, purge }: { mediaIds: readonly string[]; purge: boolean },
): Promise<ItemOutcome[]> => forEachItem(needs, mediaIds, (id) => deleteRow(needs, { id, purge, byJob: true }));

interface Deletion extends GivenMedia {
  purge: boolean;
  /** A job removes the files at once. */
  byJob?: boolean;
}

async function deleteRow(needs: Needs, { purge, byJob = false, ...given }: Deletion): Promise<Purge | null> {
  const { db, loaders } = needs;
  const { id } = given;
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:delete');
  if (!media.objectsRecorded) await recordObjects(needs, media);

  const purged = await db.$transaction(async (tx) => {
    // The lock waits for concurrent writers, so that the deleted row is the latest one.
    const [row] = await tx.media.updateManyAndReturn({ where: { id: media.id }, data: { run: { increment: 1 } } });
    if (!row) throw mediaNotFound(); // another request was faster
    await tx.media.delete({ where: { id: row.id } });
    await tx.movedObject.deleteMany({ where: { mediaId: row.id } });
    if (purge) return enqueuePurge(needs, tx, row, byJob);
    await countUnpurged(tx, row);
    // The keys of a running attempt stay taken, under an id that no item has: what it still writes harms nobody. So do
    // those of a private item, whose files nobody may read afterwards.
    if (isBusy(row) || row.visibility === 'PRIVATE')
      await tx.storedObject.updateMany({ where: { mediaId: row.id }, data: { mediaId: -row.id } });
    else await tx.storedObject.deleteMany({ where: { mediaId: row.id } });
    return null;
  });
  loaders.media.clear(id);
  return purged;
}

/** Whether something may still write to its keys: an attempt, or the job that migrates old items to the present layout. */
const isBusy = (row: MediaRow) =>
  row.attemptId !== null || !row.objectsRecorded || !['done', 'failed'].includes(row.transcodingStage);

/** Enqueues the purge. Keys stay taken while an attempt runs: it must not overwrite the bytes of another item. */
async function enqueuePurge(
  { clock, jobs }: Needs,
  tx: MediaTransaction,
  row: MediaRow,
  byJob: boolean,
): Promise<Purge> {
  const busy = isBusy(row);
  const after = (ms: number) => ({ within: tx, startAfter: new Date(clock.now().getTime() + ms) });
  const purge = { mediaId: row.id, release: !busy };
  if (byJob) await jobs.enqueue(purgeMediaJob, purge, { within: tx });
  await jobs.enqueue(purgeMediaJob, purge, after(AFTERMATH_MS));
  if (busy) await jobs.enqueue(purgeMediaJob, { ...purge, release: true }, after(OVER_MS));
  return purge;
}
