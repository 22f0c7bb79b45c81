import type { Context } from '../context.ts';
import type { StreamOnNode } from './end-stream-job.ts';
import { firstOriginOf, orderStream } from './order-stream.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs'>;

/**
 * Ends a stream on a node, unless another channel still uses it there. A channel that began to use it meanwhile gets it
 * again.
 */
export async function endStream(needs: Needs, { streamerId, streamId }: StreamOnNode): Promise<void> {
  const { db, streamer } = needs;
  const inUse = await db.channelOrigin.count({ where: { streamerId, streamId } });
  const node = await db.streamer.findUnique({ where: { id: streamerId } });
  if (inUse > 0 || !node) return;
  await streamer.deleteStream(node, streamId);
  const user = await firstOriginOf(needs, { streamerId, streamId });
  if (user) await orderStream(needs, user.channel, user);
}

/** Ends streams at once; the enqueued jobs retry those that fail. */
export const endStreamsNow = (needs: Needs, streams: readonly StreamOnNode[]) =>
  Promise.allSettled(streams.map((stream) => endStream(needs, stream)));
