import { isDeepStrictEqual } from 'node:util';

import type { ChannelOrigin, Prisma, Streamer } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Context } from '../context.ts';
import { checkChannel, playbackUrlOf, streamPayload, type ChannelPlan } from './channel.ts';
import { lookUpStreamers } from './create-channel.ts';
import { endStreamJob } from './end-stream-job.ts';
import { endStreamsNow } from './end-stream.ts';
import { applyToOrigin, configsOf } from './order-stream.ts';
import { checkExists, findPermittedChannel } from './permit-channel.ts';
import { channelNotFound, noOriginWorks, streamerMissing } from './refusals.ts';
import { streamsOf } from './streams-of-others.ts';

type Needs = Pick<
  Context,
  'viewer' | 'permissions' | 'db' | 'streamer' | 'clock' | 'log' | 'jobs' | 'playbackUrl' | 'nodeAddresses'
>;

interface Changes {
  id: string;
  name?: string | null | undefined;
  quality?: string | null | undefined;
  ingestConfig?: Record<string, unknown> | null | undefined;
  transcodeConfig?: Record<string, unknown> | null | undefined;
  origins?: readonly { streamerId: string; ingestUrl?: string | null | undefined }[] | null | undefined;
}

type Before = Awaited<ReturnType<typeof findPermittedChannel>>;

/**
 * Updates a channel. Streams whose configuration changed are created again, streams of removed origins end, and origins
 * that failed are retried.
 *
 * @returns the channel, and why some of its origins do not stream, or not with its settings
 * @throws {Refusal} `ALL_ORIGINS_FAILED` when there is none of the streamers; then nothing changes
 */
export async function updateChannel(needs: Needs, changes: Changes) {
  const permitted = await findPermittedChannel(needs, changes.id, 'media:manage');
  const { after, ending, missing } = await needs.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM media.channel WHERE id = ${permitted.id} FOR UPDATE`; // one update after the other
    const before = await tx.channel.findUnique({ where: { id: permitted.id }, include: { origins: true } });
    if (!before) throw channelNotFound(changes.id);
    return applyChanges(needs, tx, before, changes);
  });

  await endStreamsNow(needs, ending);
  const waiting = after.origins.filter(({ status, outdated }) => status !== 'active' || outdated);
  const outcomes = await Promise.all(waiting.map((origin) => applyToOrigin(needs, after, origin)));
  await checkExists(needs, after.id);
  return { channel: after, failures: [...missing, ...outcomes.filter((outcome) => outcome !== null)] };
}

/** Writes changes to the rows of a channel; returns it with its origins, and the streams that end. */
async function applyChanges(needs: Needs, tx: MediaTransaction, before: Before, changes: Changes) {
  const plan = planOf(before, changes);
  checkChannel(plan, needs.nodeAddresses, changedOf(before, changes));
  const { known, missing } = await lookUpStreamers(tx, plan.origins);
  if (known.length === 0 && missing.length > 0) throw noOriginWorks(missing.map(streamerMissing));

  const gone = before.origins.filter(({ streamerId }) => known.every(({ node }) => node.id !== streamerId));
  const ending = await removeOrigins(needs, tx, before, gone);
  for (const origin of known) await tx.channelOrigin.upsert(upsertOf(needs.playbackUrl, before, plan, origin));
  const after = await tx.channel.update({
    where: { id: before.id },
    data: {
      name: plan.name,
      quality: plan.quality ?? before.quality,
      ingestConfig: plan.ingestConfig as Prisma.InputJsonObject,
      transcodeConfig: plan.transcodeConfig as Prisma.InputJsonObject,
    },
    include: { origins: { include: { streamer: true } } },
  });
  return { after, ending, missing: missing.map(streamerMissing) };
}

/** Removes origins, and returns the streams that end with them; jobs end them even if this process dies. */
async function removeOrigins({ jobs }: Needs, tx: MediaTransaction, before: Before, gone: readonly ChannelOrigin[]) {
  const ending = await streamsOf(tx, before, gone);
  await tx.channelOrigin.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } });
  for (const stream of ending) await jobs.enqueue(endStreamJob, stream, { within: tx });
  return ending;
}

/** Returns the upsert of an origin: it becomes pending when its streamer needs the changed configuration. */
function upsertOf(
  template: string,
  before: Before,
  plan: ChannelPlan,
  { node, ingestUrl }: { node: Streamer; ingestUrl: string | null },
) {
  const key = { channelId: before.id, streamerId: node.id };
  const current = before.origins.find(({ streamerId }) => streamerId === node.id);
  const payload = current && streamPayload(configsOf(before), current);
  const changed = !isDeepStrictEqual(payload, streamPayload(plan, { ingestUrl }));
  return {
    where: { channelId_streamerId: key },
    create: {
      ...key,
      ingestUrl,
      streamId: before.streamId,
      playbackUrl: playbackUrlOf(template, node, before.streamId),
    },
    update: { ingestUrl, ...(changed && { status: 'pending' as const, outdated: true }) },
  };
}

/** Returns what a request brings; clients may send a configuration back as they got it. */
function changedOf(before: Before, { ingestConfig, transcodeConfig, origins }: Changes) {
  const stored = configsOf(before);
  return {
    ingestConfig: isDeepStrictEqual(ingestConfig, stored.ingestConfig) ? null : ingestConfig,
    transcodeConfig: isDeepStrictEqual(transcodeConfig, stored.transcodeConfig) ? null : transcodeConfig,
    origins,
  };
}

function planOf(before: Before, changes: Changes): ChannelPlan {
  const origins = changes.origins ?? before.origins;
  const { sourceType, ingestConfig, transcodeConfig } = configsOf(before);
  return {
    name: changes.name?.trim() ?? before.name,
    sourceLabel: null, // not checked again: it can't change
    quality: changes.quality ?? null,
    sourceType,
    ingestConfig: changes.ingestConfig ?? ingestConfig,
    transcodeConfig: changes.transcodeConfig ?? transcodeConfig,
    origins: origins.map(({ streamerId, ingestUrl }) => ({
      streamerId: String(streamerId),
      ingestUrl: ingestUrl ?? null,
    })),
  };
}
