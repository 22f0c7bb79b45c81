import type { ChannelOriginStatus } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import type { OriginOnNode } from './order-stream.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'originPollMs'>;

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
 * Checks whether the streamers have the streams of their channels, and records the result. Every origin is checked once in
 * an interval, by whichever process claims it first.
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
async function claimDue({ db, originPollMs }: Needs): Promise<OriginOnNode[]> {
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
    include: { streamer: true },
  });
}

/** Checks the origins of one node, one after the other; it gives up on all of them when the node can't be reached. */
async function checkOrigins(needs: Needs, origins: readonly OriginOnNode[]): Promise<void> {
  let unreachable: Finding | null = null;
  for (const origin of origins) {
    const finding: Finding = unreachable ?? (await check(needs, origin));
    if (finding.status === 'unreachable') unreachable = finding;
    const { id, status, checkedAt } = origin;
    await needs.db.channelOrigin.updateMany({
      where: { id, status, checkedAt }, // unless the stream was created again meanwhile
      data: finding,
    });
  }
}

const GONE = 'The streamer does not have this stream any more.';
const OUTDATED = 'The streamer runs this stream with an earlier configuration: update the channel again.';

async function check({ streamer }: Needs, { streamer: node, streamId, outdated }: OriginOnNode): Promise<Finding> {
  try {
    if (!(await streamer.hasStream(node, streamId))) return { status: 'failed', failure: GONE };
    return outdated ? { status: 'failed', failure: OUTDATED } : { status: 'active', failure: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'unreachable', failure: error.message };
  }
}
