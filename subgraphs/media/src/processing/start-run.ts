import type { Media } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { moveMedia } from './jobs.ts';
import { processingRuns } from './refusals.ts';

type Needs = Pick<Services, 'db' | 'jobs'> & {
  /** Writes an audit record in the transaction that starts the run. */
  note?(tx: MediaTransaction, media: Media): Promise<void>;
};

/**
 * Starts a new run for a media item whose last run has ended. Of two concurrent calls, one succeeds.
 *
 * @throws {Refusal} `PROCESSING_RUNS`
 */
export async function startRun({ db, jobs, note }: Needs, media: Pick<Media, 'id' | 'run' | 'status'>): Promise<Media> {
  return db.$transaction(async (tx) => {
    const [row] = await tx.media.updateManyAndReturn({
      where: { id: media.id, run: media.run, transcodingStage: { in: ['done', 'failed'] } },
      data: {
        run: { increment: 1 },
        transcodingStage: 'queued',
        progress: 0,
        tries: 0,
        attemptId: null,
        failureReason: null,
        ...(media.status === 'failed' && { status: 'processing' as const }),
      },
    });
    if (!row) throw processingRuns();
    await jobs.enqueue(moveMedia, { mediaId: row.id, run: row.run }, { within: tx });
    await note?.(tx, row);
    return row;
  });
}
