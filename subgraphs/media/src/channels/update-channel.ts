import type { Channel, Prisma } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { checkChannel, playbackUrlOf, type ChannelPlan } from './channel.ts';
import { lookUpStreamers } from './create-channel.ts';
import { endStreamJob, endStreamsNow } from './end-stream.ts';
import { asObject, orderStream, type OriginOnNode } from './order-stream.ts';
import { permittedChannel } from './permit.ts';
import { streamerMissing, streamShared, type OriginFailure } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'streamer' | 'clock' | 'log' | 'jobs' | 'playbackUrl'>;

interface Changes {
  id: string;
  name?: string | null | undefined;
  quality?: string | null | undefined;
  ingestConfig?: Record<string, unknown> | null | undefined;
  transcodeConfig?: Record<string, unknown> | null | undefined;
  origins?: readonly { streamerId: string; ingestUrl?: string | null | undefined }[] | null | undefined;
}

type Before = Awaited<ReturnType<typeof permittedChannel>>;

/**
 * Changes a channel. Streams whose configuration changed are ordered anew, streams of origins that
 * are gone end, and origins that failed are tried again.
 *
 * @returns the channel, and why some of its origins do not stream
 */
export async function updateChannel(needs: Needs, changes: Changes) {
  const before = await permittedChannel(needs, changes.id, 'media:manage');
  const plan = planOf(before, changes);
  checkChannel(plan);
  const { known, missing } = await lookUpStreamers(needs, plan.origins);

  const gone = before.origins.filter(({ streamerId }) => known.every(({ node }) => node.id !== streamerId));
  const after = await needs.db.$transaction(async (tx) => {
    await tx.channelOrigin.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } });
    for (const { streamerId, streamId } of gone) {
      await needs.jobs.enqueue(endStreamJob, { streamerId, streamId }, { within: tx });
    }
    for (const { node, ingestUrl } of known) {
      const origin = { channelId: before.id, streamerId: node.id };
      const playbackUrl = playbackUrlOf(needs.playbackUrl, node, before.streamId);
      await tx.channelOrigin.upsert({
        where: { channelId_streamerId: origin },
        create: { ...origin, ingestUrl, playbackUrl, streamId: before.streamId },
        update: { ingestUrl },
      });
    }
    return tx.channel.update({
      where: { id: before.id },
      data: {
        name: plan.name,
        quality: changes.quality ?? before.quality,
        ingestConfig: plan.ingestConfig as Prisma.InputJsonObject,
        transcodeConfig: plan.transcodeConfig as Prisma.InputJsonObject,
      },
      include: { origins: { include: { streamer: true } } },
    });
  });

  await endStreamsNow(needs, gone);
  const outcomes = await Promise.all(after.origins.map((origin) => bringUp(needs, { before, after, origin })));
  return {
    channel: after,
    failures: [...missing.map(streamerMissing), ...outcomes.filter((outcome) => outcome !== null)],
  };
}

function planOf(before: Before, changes: Changes): ChannelPlan {
  const origins = changes.origins ?? before.origins;
  return {
    name: changes.name?.trim() ?? before.name,
    sourceType: before.sourceType,
    ingestConfig: changes.ingestConfig ?? asObject(before.ingestConfig),
    transcodeConfig: changes.transcodeConfig ?? asObject(before.transcodeConfig),
    origins: origins.map(({ streamerId, ingestUrl }) => ({
      streamerId: String(streamerId),
      ingestUrl: ingestUrl ?? null,
    })),
  };
}

interface Step {
  before: Before;
  after: Channel;
  origin: OriginOnNode;
}

/** Lets an origin stream what the channel says now; one that does so already is left alone. */
async function bringUp(needs: Needs, { before, after, origin }: Step): Promise<OriginFailure | null> {
  const known = before.origins.find(({ id }) => id === origin.id);
  if (known?.status !== 'active') return orderStream(needs, after, origin);
  const said = ({ ingestConfig, transcodeConfig }: Channel, { ingestUrl }: { ingestUrl: string | null }) =>
    JSON.stringify([ingestConfig, transcodeConfig, ingestUrl]);
  if (said(before, known) === said(after, origin)) return null;

  const { streamerId, streamId } = origin;
  const users = await needs.db.channelOrigin.count({ where: { streamerId, streamId } });
  if (users > 1) return streamShared(String(streamerId));
  // A streamer has no way to change a stream: it ends, and a new one takes its id.
  await needs.streamer.deleteStream(origin.streamer, streamId).catch(() => undefined);
  return orderStream(needs, after, origin);
}
