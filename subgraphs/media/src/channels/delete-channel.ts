import type { Context } from '../context.ts';
import { endStreamJob, type StreamOnNode } from './end-stream-job.ts';
import { endStreamsNow } from './end-stream.ts';
import { findPermittedChannel } from './permit-channel.ts';

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
  channel: { id: number; origins: readonly StreamOnNode[] },
): Promise<void> {
  const streams = channel.origins.map(({ streamerId, streamId }) => ({ streamerId, streamId }));
  await needs.db.$transaction(async (tx) => {
    await tx.channel.deleteMany({ where: { id: channel.id } });
    for (const stream of streams) await needs.jobs.enqueue(endStreamJob, stream, { within: tx });
  });
  await endStreamsNow(needs, streams);
}
