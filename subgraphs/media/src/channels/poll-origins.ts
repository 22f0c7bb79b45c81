import type { ChannelOriginStatus } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import type { OriginOnNode } from './order-stream.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'clock' | 'originPollMs'>;

/** How many are taken at once, and of how many nodes at the same time. */
const BATCH = 200;
const NODES_AT_ONCE = 8;
/** An origin still pending after this was left so by a process that died. */
const PENDING_MS = 60_000;

interface Finding {
  status: ChannelOriginStatus;
  failure: string | null;
}

/**
 * Asks the streamers whether they have the streams that channels have there, and writes down what
 * came out. Every origin is asked about once in an interval, by whichever process takes it first.
 */
export async function pollOrigins(needs: Needs): Promise<void> {
  const origins = await takeDue(needs);
  const nodes = [...Map.groupBy(origins, ({ streamerId }) => streamerId).values()];
  const askNext = async () => {
    for (let node = nodes.shift(); node; node = nodes.shift()) await askNode(needs, node);
  };
  await Promise.all(Array.from({ length: NODES_AT_ONCE }, askNext));
}

/** What is due, marked as asked. */
async function takeDue({ db, clock, originPollMs }: Needs): Promise<OriginOnNode[]> {
  const now = clock.now();
  const asked = new Date(now.getTime() - originPollMs);
  const pending = new Date(now.getTime() - PENDING_MS);
  const taken = await db.$queryRaw<{ id: number }[]>`
    UPDATE media.channel_origin SET checked_at = ${now} WHERE id IN (
      SELECT id FROM media.channel_origin
       WHERE (checked_at IS NULL OR checked_at <= ${asked}) AND (status <> 'pending' OR updated_at < ${pending})
       ORDER BY checked_at NULLS FIRST LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return db.channelOrigin.findMany({
    where: { id: { in: taken.map(({ id }) => id) } },
    include: { streamer: true },
  });
}

/** One after the other; a node that can't be reached is not asked again for each of its streams. */
async function askNode(needs: Needs, origins: readonly OriginOnNode[]): Promise<void> {
  let away: Finding | null = null;
  for (const origin of origins) {
    const finding: Finding = away ?? (await ask(needs, origin));
    if (finding.status === 'unreachable') away = finding;
    const { id, status, checkedAt } = origin;
    await needs.db.channelOrigin.updateMany({
      where: { id, status, checkedAt }, // ordered anew meanwhile: then this says nothing about it
      data: finding,
    });
  }
}

async function ask({ streamer }: Needs, { streamer: node, streamId }: OriginOnNode): Promise<Finding> {
  try {
    return (await streamer.hasStream(node, streamId))
      ? { status: 'active', failure: null }
      : { status: 'failed', failure: 'The streamer does not have this stream any more.' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'unreachable', failure: error.message };
  }
}
