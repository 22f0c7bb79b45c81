import type { Context } from '../context.ts';
import { permitOnMedia } from '../library/permit-media.ts';
import { inFull } from '../library/media.ts';
import { moveMedia } from './jobs.ts';
import { processingRuns } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/** Starts a new run over a media item whose last run has ended. */
export async function processMedia(needs: Needs, id: string) {
  const { db, jobs, loaders } = needs;
  const media = await permitOnMedia(needs, await loaders.media.load(id), 'media:manage');
  const started = await db.$transaction(async (tx) => {
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
    return row;
  });
  return inFull(started);
}
