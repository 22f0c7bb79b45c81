import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Context } from '../context.ts';

/** Ends a stream on a node, retrying for about a day while the node can't be reached. */
export const endStreamJob = defineJob({
  name: 'media.end-stream',
  data: z.object({ streamerId: z.number().int(), streamId: z.string() }),
  retries: 40,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 3_600,
});

type Needs = Pick<Context, 'db' | 'streamer'>;

/** A stream on a node. */
export type StreamOnNode = z.infer<typeof endStreamJob.data>;

/** Ends a stream on a node, unless another channel still uses it there. */
export async function endStream({ db, streamer }: Needs, { streamerId, streamId }: StreamOnNode): Promise<void> {
  const inUse = await db.channelOrigin.count({ where: { streamerId, streamId } });
  const node = await db.streamer.findUnique({ where: { id: streamerId } });
  if (inUse > 0 || !node) return;
  await streamer.deleteStream(node, streamId);
}

/** Ends streams at once; the enqueued jobs retry those that fail. */
export const endStreamsNow = (needs: Needs, streams: readonly StreamOnNode[]) =>
  Promise.allSettled(streams.map((stream) => endStream(needs, stream)));
