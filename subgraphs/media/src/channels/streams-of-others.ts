import { Prisma, type Channel } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Context } from '../context.ts';
import type { StreamOnNode } from './end-stream-job.ts';

/**
 * Returns which of these origins ask for a stream that a channel of another organization has on the same streamer. The id of a
 * stream follows from the name of its channel, which anybody may choose: the first to use it there has it. An origin that was
 * removed meanwhile has none: another organization may be the first now.
 *
 * @param db also a transaction
 */
export async function takenByOthers(
  db: Pick<Context['db'], '$queryRaw'>,
  origins: readonly { id: number }[],
): Promise<ReadonlySet<number>> {
  if (origins.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT o.id FROM media.channel_origin o JOIN media.channel c ON c.id = o.channel_id
     WHERE o.id IN (${Prisma.join(origins.map(({ id }) => id))}) AND c.organization_id IS NOT DISTINCT FROM (
       SELECT first_channel.organization_id FROM media.channel first_channel
         JOIN media.channel_origin first ON first.channel_id = first_channel.id AND first.streamer_id = o.streamer_id
        WHERE first_channel.stream_id = o.stream_id ORDER BY first.id LIMIT 1)`;
  const own = new Set(rows.map(({ id }) => id));
  return new Set(origins.map(({ id }) => id).filter((id) => !own.has(id)));
}

/** Returns the streams that end with these origins of a channel: without those that were never its own. */
export async function streamsOf(
  db: Parameters<typeof takenByOthers>[0] & Pick<MediaTransaction, 'channelOrigin'>,
  { organizationId }: Pick<Channel, 'organizationId'>,
  origins: readonly (StreamOnNode & { id: number })[],
): Promise<StreamOnNode[]> {
  const taken = await takenByOthers(db, origins);
  const own = origins.filter(({ id }) => !taken.has(id));
  const waiting = await db.channelOrigin.findMany({
    where: {
      outdated: true,
      id: { notIn: own.map(({ id }) => id) },
      OR: own.map(({ streamerId, streamId }) => ({ streamerId, streamId })),
    },
    orderBy: { id: 'asc' },
  });
  return own.map(({ streamerId, streamId }) => {
    const successor = waiting.find((other) => other.streamerId === streamerId && other.streamId === streamId);
    return { streamerId, streamId, organizationId, successorId: successor?.id ?? null };
  });
}
