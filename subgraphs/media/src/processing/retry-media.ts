import type { Media } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { startRun } from './start-run.ts';

type Needs = Parameters<typeof startRun>[0];

/**
 * Processes a media item again, for the operator's command line.
 *
 * @throws {Refusal} `MEDIA_NOT_FOUND`, `PROCESSING_RUNS`
 */
export async function retryMedia(needs: Needs, id: number): Promise<Media> {
  const media = await needs.db.media.findUnique({ where: { id } });
  if (!media) throw mediaNotFound();
  return startRun(needs, media);
}

/** Lists the ids of all media items whose last run failed. */
export async function failedMedia({ db }: Pick<Services, 'db'>): Promise<number[]> {
  const failed = await db.media.findMany({
    where: { transcodingStage: 'failed' },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return failed.map(({ id }) => id);
}
