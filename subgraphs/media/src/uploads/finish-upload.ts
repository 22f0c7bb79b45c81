import type { House } from '../context.ts';
import { completeUpload } from './complete-upload.ts';

type Needs = Pick<House, 'db' | 'clock' | 'jobs' | 'events' | 'log' | 'uploads'>;

/**
 * Writes down that all bytes of an upload are here, and completes it. May be called again: the
 * client of an upload that finished just before a crash never comes back, but the reconciler does.
 */
export async function finishUpload(needs: Needs, { id, size }: { id: string; size: number }): Promise<number | null> {
  await needs.uploads.flush(id);
  await needs.db.upload.updateMany({
    where: { id, state: 'receiving' },
    data: { state: 'finished', size, finishedAt: needs.clock.now() },
  });
  return completeUpload(needs, id);
}
