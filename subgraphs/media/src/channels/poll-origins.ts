import type { Channel, ChannelOriginStatus } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { applyToOrigin, firstOriginOf, NOT_THERE, orderStream, type OriginOnNode } from './order-stream.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs' | 'originPollMs' | 'restoreStreams'>;
type Origin = OriginOnNode & { channel: Channel };

/** How many origins are checked in one sweep, and on how many nodes at the same time. */
const BATCH = 200;
const NODES_AT_ONCE = 8;
/** An origin that is pending for longer was left behind by a process that died. */
const PENDING_MS = 60_000;

interface Finding {
  status: ChannelOriginStatus;
  failure: string | null;
}

/**
 * Checks whether the streamers have the streams of their channels, records the result, and orders again what is not there, or
 * not as wanted: a streamer was started anew, or could not be reached when it was asked; a process died between two orders.
 * Every origin is checked once in an interval, by whichever process claims it first.
 */
export async function pollOrigins(needs: Needs): Promise<void> {
  const origins = await claimDue(needs);
  const nodes = [...Map.groupBy(origins, ({ streamerId }) => streamerId).values()];
  const checkNext = async () => {
    for (let node = nodes.shift(); node; node = nodes.shift()) await checkOrigins(needs, node);
  };
  await Promise.all(Array.from({ length: NODES_AT_ONCE }, checkNext));
}

/** Returns the origins that are due, and marks them as checked. */
async function claimDue({ db, originPollMs }: Needs): Promise<Origin[]> {
  const now = await databaseTime(db);
  const checkedBefore = new Date(now.getTime() - originPollMs);
  const pendingSince = new Date(now.getTime() - PENDING_MS);
  const taken = await db.$queryRaw<{ id: number }[]>`
    UPDATE media.channel_origin SET checked_at = ${now} WHERE id IN (
      SELECT id FROM media.channel_origin
       WHERE (checked_at IS NULL OR checked_at <= ${checkedBefore}) AND (status <> 'pending' OR updated_at < ${pendingSince})
       ORDER BY checked_at NULLS FIRST LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return db.channelOrigin.findMany({
    where: { id: { in: taken.map(({ id }) => id) } },
    include: { channel: true, streamer: true },
  });
}

/**
 * Checks the origins of one node, one after the other. It gives up on all of them when the node can't be reached, and orders
 * nothing more after an order that failed, which may have taken long.
 */
async function checkOrigins(needs: Needs, origins: readonly Origin[]): Promise<void> {
  let unreachable: Finding | null = null;
  let takesOrders = needs.restoreStreams;
  for (const origin of origins) {
    const finding: Finding = unreachable ?? (await check(needs, origin));
    if (finding.status === 'unreachable') unreachable = finding;
    if (!(await record(needs, origin, finding))) continue;
    if (finding.status === 'failed' && takesOrders) takesOrders = await orderAgain(needs, origin);
  }
}

/** Records what was found; returns false when the stream was created again meanwhile. */
async function record({ db }: Needs, { id, status, checkedAt, failure }: Origin, finding: Finding): Promise<boolean> {
  const where = { id, status, checkedAt };
  // Why an order failed says more than that its stream is not there.
  const data = status === 'failed' && finding.status === 'failed' ? { failure: failure ?? finding.failure } : finding;
  return (await db.channelOrigin.updateMany({ where, data })).count > 0;
}

/** Returns whether the streamer took the order. Other origins that share the stream find it at their own check. */
async function orderAgain(needs: Needs, origin: Origin): Promise<boolean> {
  const { streamerId, streamId, outdated } = origin;
  const first = outdated ? origin : await firstOriginOf(needs, origin);
  if (!first) return true;
  const failure = outdated
    ? await applyToOrigin(needs, first.channel, first)
    : await orderStream(needs, first.channel, first, { confirmed: true });
  if (failure && failure.code !== 'STREAM_SHARED') return false;
  needs.log.warn({ streamer: streamerId, stream: streamId }, 'a stream was ordered again');
  return true;
}

const OUTDATED = 'The streamer runs this stream with an earlier configuration.';

async function check({ streamer }: Needs, { streamer: node, streamId, outdated }: Origin): Promise<Finding> {
  try {
    if (!(await streamer.hasStream(node, streamId))) return { status: 'failed', failure: NOT_THERE };
    return outdated ? { status: 'failed', failure: OUTDATED } : { status: 'active', failure: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'unreachable', failure: error.message };
  }
}
