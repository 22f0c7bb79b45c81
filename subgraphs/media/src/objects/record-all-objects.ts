import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { renewKeys } from './renew-keys.ts';

/** Runs every minute, until no item from before decision 48 is left; then it costs one lookup in an empty index. */
export const recordAllObjectsJob = defineJob({
  name: 'media.record-all-objects',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  expireSeconds: 6 * 3_600,
  cron: '* * * * *',
});

type Needs = Pick<Services, 'db' | 'store' | 'log'>;

const BATCH = 100;

/** Migrates every media item from before decision 48 to the present layout. It may be killed at any moment. */
export async function recordAllObjects(needs: Needs, signal: AbortSignal): Promise<void> {
  const { db, log } = needs;
  let after = 0;
  for (;;) {
    const rows = await db.media.findMany({
      where: { objectsRecorded: false, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: BATCH,
      select: { id: true },
    });
    if (rows.length === 0) return;
    for (const { id } of rows) {
      signal.throwIfAborted();
      after = id;
      await renewKeys(needs, id).catch((error: unknown) =>
        log.warn({ err: error, mediaId: id }, 'the objects of a media item will be recorded later'),
      );
    }
  }
}
