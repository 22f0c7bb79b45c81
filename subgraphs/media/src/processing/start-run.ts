import type { Media, Prisma, ProcessingStep } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { enqueueRun } from './enqueue-step.ts';
import { processingRuns } from './refusals.ts';
import { warningsOfNewRun } from './warnings.ts';

type Needs = Pick<Services, 'db' | 'jobs'> & {
  /** Writes an audit record in the transaction that starts the run. */
  note?(tx: MediaTransaction, media: Media): Promise<void>;
};

interface Changes {
  /** What else to write to the row. */
  data?: Prisma.MediaUncheckedUpdateManyInput;
  /** The run moves the files and does nothing else: it ends as the run before it ended. */
  onlyMove?: boolean;
}

/** What a run that only moves files need not do again. */
const afterMove: ProcessingStep[] = ['normalize', 'probe', 'thumbnail', 'transcode'];

/**
 * Starts a new run for a media item whose last run has ended. Of two concurrent calls, one succeeds.
 *
 * @throws {Refusal} `PROCESSING_RUNS`
 */
export async function startRun(
  { db, jobs, note }: Needs,
  media: Pick<Media, 'id' | 'run' | 'status'>,
  { data = {}, onlyMove = false }: Changes = {},
): Promise<Media> {
  return db.$transaction(async (tx) => {
    const [row] = await tx.media.updateManyAndReturn({
      where: { id: media.id, run: media.run, transcodingStage: { in: ['done', 'failed'] } },
      data: {
        ...data,
        run: { increment: 1 },
        transcodingStage: 'queued',
        progress: 0,
        tries: 0,
        attemptId: null,
        ...(!onlyMove && { failureReason: null, cancelledRun: null }),
        ...(media.status === 'failed' && { status: 'processing' as const }),
      },
    });
    if (!row) throw processingRuns();
    const { id: mediaId, run } = row;
    if (onlyMove) await tx.processingCheckpoint.createMany({ data: afterMove.map((step) => ({ mediaId, run, step })) });
    const started = onlyMove
      ? row
      : await tx.media.update({ where: { id: mediaId }, data: { warnings: warningsOfNewRun(row.warnings) } });
    await enqueueRun({ jobs }, tx, started);
    await note?.(tx, started);
    return started;
  });
}
