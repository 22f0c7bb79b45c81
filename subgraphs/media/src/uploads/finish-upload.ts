import type { Services } from '../context.ts';
import { completeUpload } from './complete-upload.ts';

type Journal = Pick<Services, 'db' | 'clock' | 'uploads'>;
type Needs = Journal & Pick<Services, 'jobs' | 'log'>;

interface Finished {
  id: string;
  /** In bytes. */
  size: number;
}

/** Writes down that all bytes of an upload are here: from then on the reconciler completes it, whoever else does not. */
export async function noteFinished({ db, clock, uploads }: Journal, { id, size }: Finished): Promise<void> {
  await uploads.flush(id);
  await db.upload.updateMany({
    where: { id, state: 'receiving' },
    data: { state: 'finished', size, finishedAt: clock.now() },
  });
}

/**
 * Writes down that all bytes of an upload are here, and completes it. May be called again: the
 * client of an upload that finished just before a crash never comes back, but the reconciler does.
 */
export async function finishUpload(needs: Needs, finished: Finished): Promise<number | null> {
  await noteFinished(needs, finished);
  return completeUpload(needs, finished.id);
}

/**
 * Whether whoever completes uploads has said that this one can't become a media item. One that nobody has looked at yet
 * is not.
 */
export async function isRejected({ db }: Pick<Journal, 'db'>, id: string): Promise<boolean> {
  return (await db.upload.count({ where: { id, state: 'rejected' } })) > 0;
}
