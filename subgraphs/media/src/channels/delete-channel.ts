import type { Channel, ChannelOrigin } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { endStreamJob } from './end-stream-job.ts';
import { endStreamsNow } from './end-stream.ts';
import { findPermittedChannel } from './permit-channel.ts';
import { streamsOf } from './streams-of-others.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs'>;

/** Deletes a channel; its streams end now, or as soon as their nodes can be reached. Returns its id. */
export async function deleteChannel(
  needs: Needs & Pick<Context, 'viewer' | 'permissions'>,
  id: string,
): Promise<string> {
  await removeChannel(needs, await findPermittedChannel(needs, id, 'media:manage'));
  return id;
}

/** Deletes a channel without checking permissions. */
export async function removeChannel(
  needs: Needs,
  channel: Pick<Channel, 'id' | 'organizationId'> & { origins: readonly ChannelOrigin[] },
): Promise<void> {
  const streams = await needs.db.$transaction(async (tx) => {
    const ending = await streamsOf(tx, channel, channel.origins);
    await tx.channel.deleteMany({ where: { id: channel.id } });
    for (const stream of ending) await needs.jobs.enqueue(endStreamJob, stream, { within: tx });
    return ending;
  });
  await endStreamsNow(needs, streams);
}
