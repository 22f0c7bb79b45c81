import { isDeepStrictEqual } from 'node:util';

import type { Channel, ChannelOrigin, Streamer } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { streamPayload } from './channel.ts';
import { endStreamJob, type StreamOnNode } from './end-stream-job.ts';
import { streamShared, streamTaken, type OriginFailure } from './refusals.ts';
import { takenByOthers } from './streams-of-others.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs'>;

interface Order {
  /** Whether an existing stream of the same id ends first. */
  anew?: boolean;
  /** Whether nobody asked for it: the origin is `active` when the next check finds the stream, and not before. */
  byCheck?: boolean;
  /** Whether what exists there may be the stream of another organization, whose end waits for the node. */
  leftByOthers?: boolean;
}

/** An origin with its streamer node. */
export type OriginOnNode = ChannelOrigin & { streamer: Streamer };

/**
 * Creates a channel's stream on the streamer of one origin, and records the outcome.
 *
 * @returns why the origin does not stream, or not with the channel's settings; null when it does
 */
export async function orderStream(
  needs: Needs,
  channel: Channel,
  origin: OriginOnNode,
  how: Order = {},
): Promise<OriginFailure | null> {
  const isTaken = (await takenByOthers(needs.db, [origin])).size > 0;
  const leftByOthers = !isTaken && !how.byCheck && (await isLeftByOthers(needs, channel, origin));
  const failure = isTaken
    ? streamTaken(String(origin.streamerId))
    : await order(needs, channel, origin, { ...how, leftByOthers });
  const changed = await record(needs, channel, origin, failure, { ...how, leftByOthers });
  // Which of several orders the streamer took last is unknown: each that was overtaken orders again what is wanted now.
  if (changed) return applyToOrigin(needs, changed.channel, changed);
  return failure ?? ((await isShared(needs, channel, origin)) ? streamShared(String(origin.streamerId)) : null);
}

/** The first of the origins that use a stream on a node: it is the one whose settings a shared stream has. */
export const firstOriginOf = ({ db }: Pick<Context, 'db'>, { streamerId, streamId }: StreamOnNode) =>
  db.channelOrigin.findFirst({
    where: { streamerId, streamId },
    orderBy: { id: 'asc' },
    include: { channel: true, streamer: true },
  });

/** Applies the channel's configuration to an origin. A streamer can't change a stream: it ends, and a new one takes its id. */
export const applyToOrigin = async (needs: Needs, channel: Channel, origin: OriginOnNode) =>
  orderStream(needs, channel, origin, { anew: !(await isShared(needs, channel, origin)) });

/** Returns whether another channel of the organization uses the stream on this node. */
const isShared = async ({ db }: Needs, { id, organizationId }: Channel, { streamerId, streamId }: ChannelOrigin) =>
  (await db.channelOrigin.count({
    where: { streamerId, streamId, channelId: { not: id }, channel: { organizationId } },
  })) > 0;

/** Returns whether a deleted channel of another organization may have left a stream of this id on the node: its end still waits. */
async function isLeftByOthers(needs: Needs, channel: Channel, origin: ChannelOrigin): Promise<boolean> {
  const { streamerId, streamId } = origin;
  const stream = { streamerId, streamId };
  if (!(await needs.jobs.isWaiting(endStreamJob, stream))) return false;
  const { organizationId } = channel;
  if (await needs.jobs.isWaiting(endStreamJob, { ...stream, organizationId })) return false;
  const others = { streamerId, streamId, channelId: { not: channel.id }, channel: { organizationId } };
  return (await needs.db.channelOrigin.count({ where: { ...others, status: 'active', outdated: false } })) === 0;
}

/**
 * Records the outcome of an order, unless the channel was changed or left the streamer meanwhile. A stream that nobody
 * wants any more ends.
 *
 * @returns the origin as it is now, when something else was ordered
 */
async function record(
  { db, jobs }: Needs,
  channel: Channel,
  { streamerId, streamId, ingestUrl, checkedAt }: OriginOnNode,
  failure: OriginFailure | null,
  { byCheck = false, leftByOthers = false }: Order,
) {
  return db.$transaction(async (tx) => {
    // Nobody changes or deletes it until this is written.
    await tx.$queryRaw`SELECT 1 FROM media.channel WHERE id = ${channel.id} FOR SHARE`;
    const include = { channel: true, streamer: true } as const;
    const now = await tx.channelOrigin.findUnique({
      where: { channelId_streamerId: { channelId: channel.id, streamerId } },
      include,
    });
    if (!now) {
      const { organizationId } = channel;
      const stream = { streamerId, streamId, organizationId };
      if (failure?.code !== 'STREAM_TAKEN') await jobs.enqueue(endStreamJob, stream, { within: tx });
      return null;
    }
    const where = { id: now.id };
    const ordered = streamPayload(configsOf(channel), { ingestUrl });
    if (!isDeepStrictEqual(streamPayload(configsOf(now.channel), now), ordered))
      return tx.channelOrigin.update({ where, data: { status: 'pending', outdated: true }, include });
    const isOvertaken = now.status === 'active' && now.checkedAt?.getTime() !== checkedAt?.getTime();
    if (failure && isOvertaken) return null; // another order was taken meanwhile
    const taken = { outdated: false, ...(!byCheck && { status: 'active' as const, failure: null }) };
    await tx.channelOrigin.update({
      where,
      data: {
        ...(failure ? { status: 'failed', failure: failure.message } : taken),
        // What runs there is another's, also once its channel is gone.
        ...(failure && (leftByOthers || failure.code === 'STREAM_TAKEN') && { outdated: true }),
        checkedAt: await databaseTime(tx),
      },
    });
    return null;
  });
}

async function order(
  { streamer, log }: Needs,
  channel: Channel,
  origin: OriginOnNode,
  { anew = false, byCheck = false, leftByOthers = false }: Order,
): Promise<OriginFailure | null> {
  const { streamer: node, streamId } = origin;
  const create = () => streamer.createStream(node, streamId, streamPayload(configsOf(channel), origin));
  try {
    if (anew) await streamer.deleteStream(node, streamId);
    let outcome = await create();
    if (outcome !== 'created' && leftByOthers) {
      await streamer.deleteStream(node, streamId);
      outcome = await create();
    }
    // By the API's contract a 500 means "exists"; an operator should look when the node does not list the stream.
    if (outcome === 'unconfirmed') log.warn({ origin: origin.id }, 'a streamer answered 500 and has no such stream');
    else if (byCheck) log.warn({ origin: origin.id }, 'a stream that was not there was ordered again');
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { streamerId: String(origin.streamerId), code: error.reason, message: error.message };
  }
}

/** Returns the configuration of a channel's stream. Both columns only ever hold objects. */
export const configsOf = ({ sourceType, ingestConfig, transcodeConfig }: Channel) => ({
  sourceType,
  ingestConfig: ingestConfig as Record<string, unknown>,
  transcodeConfig: transcodeConfig as Record<string, unknown>,
});
