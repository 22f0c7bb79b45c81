import type { Media as MediaRow } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Context } from '../context.ts';
import { recordObjects } from '../objects/record-objects.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { purgeMedia } from './purge-media.ts';
import { purgeMediaJob, type Purge } from './purge.ts';
import { mediaNotFound } from '../media/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock' | 'jobs' | 'store' | 'loaders' | 'log'>;

/** By then a try that was at work when its media went has noticed it. */
const AFTERMATH_MS = 60_000;
/** By then one that could not notice it, such as a copy of many gigabytes inside the store, has ended. */
const OVER_MS = 24 * 3_600_000;

/**
 * Removes a media item, and its files unless they are to stay. Processing that is under way ends by itself:
 * there is no row any more that it could write to.
 */
export async function deleteMedia(needs: Needs, { purge, ...given }: GivenMedia & { purge: boolean }) {
  const { db, loaders, log } = needs;
  const { id } = given;
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:delete');
  if (!media.objectsRecorded) await recordObjects(needs, media);

  const lost = await db.$transaction(async (tx) => {
    // The lock waits for whoever is writing: what is deleted is what was written last.
    const [row] = await tx.media.updateManyAndReturn({ where: { id: media.id }, data: { run: { increment: 1 } } });
    if (!row) throw mediaNotFound(); // somebody else was faster
    await tx.media.delete({ where: { id: row.id } });
    await tx.movedObject.deleteMany({ where: { mediaId: row.id } });
    if (purge) return promisePurge(needs, tx, row);
    // What a try still writes lands on nobody: its keys stay taken, under a number that no item has.
    if (isBusy(row)) await tx.storedObject.updateMany({ where: { mediaId: row.id }, data: { mediaId: -row.id } });
    else await tx.storedObject.deleteMany({ where: { mediaId: row.id } });
    return null;
  });
  // At once where that is possible; the job does it once more, for what was being written meanwhile.
  if (lost) await purgeMedia(needs, lost).catch((error: unknown) => log.warn({ err: error, id }, 'purged later'));
  loaders.media.clear(id);
  return { id, purged: purge };
}

/** Whether something may still write to its keys: a try, or the job that brings old items into the present layout. */
const isBusy = (row: MediaRow) =>
  row.attemptId !== null || !row.objectsRecorded || !['done', 'failed'].includes(row.transcodingStage);

/** While a try is at work its keys stay taken: what it still writes must not land on somebody else's bytes. */
async function promisePurge({ clock, jobs }: Needs, tx: MediaTransaction, row: MediaRow): Promise<Purge> {
  const busy = isBusy(row);
  const after = (ms: number) => ({ within: tx, startAfter: new Date(clock.now().getTime() + ms) });
  const purge = { mediaId: row.id, release: !busy };
  await jobs.enqueue(purgeMediaJob, purge, after(AFTERMATH_MS));
  if (busy) await jobs.enqueue(purgeMediaJob, { ...purge, release: true }, after(OVER_MS));
  return purge;
}
