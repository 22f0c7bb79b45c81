import type { Services } from '../context.ts';
import type { QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { completeUpload } from './complete-upload.ts';

type JournalNeeds = Pick<Services, 'db' | 'clock' | 'uploads'>;
type Needs = JournalNeeds & Pick<Services, 'jobs' | 'log'> & QuotaNeeds;

interface Finished {
  id: string;
  /** In bytes. */
  size: number;
}

/** Records that all bytes of an upload have arrived: from then on the reconciler completes it if nobody else does. */
export async function noteFinished(needs: JournalNeeds, finished: Finished): Promise<void> {
  await needs.uploads.flush(finished.id);
  await noteStored(needs, finished);
}

/** The same for an upload whose bytes are safe already. */
export const noteStored = ({ db, clock }: Pick<JournalNeeds, 'db' | 'clock'>, { id, size }: Finished) =>
  db.upload.updateMany({
    where: { id, state: 'receiving' },
    data: { state: 'finished', size, finishedAt: clock.now() },
  });

/**
 * Records that all bytes of an upload have arrived, and completes it. Idempotent: the reconciler calls it again for an
 * upload that finished just before a crash.
 */
export async function finishUpload(needs: Needs, finished: Finished): Promise<number | null> {
  await noteFinished(needs, finished);
  return completeUpload(needs, finished.id);
}

/**
 * Returns whether the upload was found unfit to become a media item. An upload that nobody has tried to complete yet is
 * not rejected.
 */
export async function isRejected({ db }: Pick<JournalNeeds, 'db'>, id: string): Promise<boolean> {
  return (await db.upload.count({ where: { id, state: 'rejected' } })) > 0;
}
