import type { Context } from '../context.ts';
import type { StreamOnNode } from './end-stream-job.ts';
import { firstOriginOf, orderStream } from './order-stream.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs'>;

/**
 * Ends a stream on a node, unless another channel of the organization still uses it there. One of another organization gets a
 * stream of its own in its place, and a channel that began to use it meanwhile gets it again.
 */
export async function endStream(needs: Needs, stream: StreamOnNode): Promise<void> {
  const { streamerId, streamId, organizationId, successorId } = stream;
  const node = await needs.db.streamer.findUnique({ where: { id: streamerId } });
  const user = await firstOriginOf(needs, stream);
  const isOurs = organizationId === undefined || user?.channel.organizationId === organizationId;
  // Until it had a stream of its own, it was outdated.
  const hasItsOwn = user !== null && user.id === successorId && !user.outdated;
  if (!node || (user && isOurs) || hasItsOwn) return;
  await needs.streamer.deleteStream(node, streamId);
  const next = await firstOriginOf(needs, stream);
  if (next) await orderStream(needs, next.channel, next);
}

/** Ends streams at once; the enqueued jobs retry those that fail. */
export const endStreamsNow = (needs: Needs, streams: readonly StreamOnNode[]) =>
  Promise.allSettled(streams.map((stream) => endStream(needs, stream)));
