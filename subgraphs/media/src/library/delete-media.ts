import type { Context } from '../context.ts';
import { permitOnMedia } from './permit-media.ts';
import { purgeMedia } from './purge-media.ts';
import { purgeMediaJob, purgeOf } from './purge.ts';
import { mediaNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock' | 'jobs' | 'store' | 'loaders' | 'log'>;

/** By then a try that was at work when its media went has noticed it. */
const AFTERMATH_MS = 60_000;

/**
 * Removes a media item, and its files unless they are to stay. Processing that is under way ends by itself:
 * there is no row any more that it could write to.
 */
export async function deleteMedia(needs: Needs, { id, purge }: { id: string; purge: boolean }) {
  const { db, clock, jobs, loaders, log } = needs;
  const media = await permitOnMedia(needs, await loaders.media.load(id), 'media:delete');

  const lost = await db.$transaction(async (tx) => {
    // The lock waits for whoever is writing: what is deleted is what was written last.
    const [row] = await tx.media.updateManyAndReturn({ where: { id: media.id }, data: { run: { increment: 1 } } });
    if (!row) throw mediaNotFound(); // somebody else was faster
    const upload = row.uploadId ? await tx.upload.findUnique({ where: { id: row.uploadId } }) : null;
    await tx.media.delete({ where: { id: row.id } });
    if (!purge) return null;
    const files = purgeOf(row, upload?.key ?? null);
    const startAfter = new Date(clock.now().getTime() + AFTERMATH_MS);
    await jobs.enqueue(purgeMediaJob, files, { within: tx, startAfter });
    return files;
  });
  // At once where that is possible; the job does it once more, for what was being written meanwhile.
  if (lost) await purgeMedia(needs, lost).catch((error: unknown) => log.warn({ err: error, id }, 'purged later'));
  loaders.media.clear(id);
  return { id, purged: purge };
}
