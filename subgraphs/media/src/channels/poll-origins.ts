import type { Channel, ChannelOriginStatus } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { firstOriginOf, orderStream, type OriginOnNode } from './order-stream.ts';
import { streamTaken } from './refusals.ts';
import { takenByOthers } from './streams-of-others.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs' | 'originPollMs' | 'restoreStreams'>;
type Origin = OriginOnNode & { channel: Channel };

/** How many origins are checked in one sweep, and on how many nodes at the same time. */
const BATCH = 200;
const NODES_AT_ONCE = 8;
/** For how long a check orders streams from one node, and looks at them. A slow one delays the checks of others; its next check goes on. */
const ORDERS_MS = 10_000;
const LOOKS_MS = 30_000;
/** An origin that is pending for longer was left behind by a process that died. */
const PENDING_MS = 60_000;

interface Finding {
  status: ChannelOriginStatus;
  failure: string | null;
}

/**
 * Checks whether the streamers have the streams of their channels, records the result, and orders again what is not there: a
 * streamer was started anew, or could not be reached when it was asked; a process died between two orders. Every origin is
 * checked once in an interval, by whichever process claims it first.
 */
export async function pollOrigins(needs: Needs): Promise<void> {
  const origins = await claimDue(needs);
  const nodes = [...Map.groupBy(origins, ({ streamerId }) => streamerId).values()];
  const checkNext = async () => {
    for (let node = nodes.shift(); node; node = nodes.shift())
      await checkOrigins(needs, node).catch((error: unknown) => {
        needs.log.warn({ err: error }, 'the streams of a node could not be checked');
      });
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
 * Checks the origins of one node, one after the other; it gives up on all of them when the node can't be reached. They come in
 * another order each time: one that takes all the time must not do so at every check.
 */
async function checkOrigins(needs: Needs, origins: readonly Origin[]): Promise<void> {
  const begun = performance.now();
  const isWithin = (ms: number) => performance.now() - begun < ms;
  const taken = await takenByOthers(needs.db, origins);
  let unreachable: Finding | null = null;
  for (const origin of shuffled(origins)) {
    if (!isWithin(LOOKS_MS)) return;
    const finding: Finding = taken.has(origin.id) ? TAKEN : (unreachable ?? (await check(needs, origin)));
    if (finding.status === 'unreachable') unreachable = finding;
    const isCurrent = await record(needs, origin, finding);
    const mayOrder = needs.restoreStreams && isWithin(ORDERS_MS);
    if (isCurrent && finding === NOT_THERE && mayOrder) await orderAgain(needs, origin);
  }
}

const shuffled = (origins: readonly Origin[]): Origin[] =>
  origins
    .map((origin) => ({ origin, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ origin }) => origin);

/** Records what was found; returns false when the stream was ordered meanwhile. */
async function record(needs: Needs, { id, status, checkedAt }: Origin, finding: Finding): Promise<boolean> {
  // Why an order failed says more than that the stream is not there.
  const isKnown = needs.restoreStreams && finding === NOT_THERE && status === 'failed';
  const { count } = await needs.db.channelOrigin.updateMany({
    where: { id, status, checkedAt },
    data: {
      ...(!isKnown && finding),
      ...(finding === TAKEN && { outdated: true }), // what runs there is another's, also once its channel is gone
      // An order may follow: no other process checks it meanwhile.
      ...(finding === NOT_THERE && { checkedAt: await databaseTime(needs.db) }),
    },
  });
  return count > 0;
}

/** Orders a stream with the settings of the first channel that uses it, or else with those of the channel that was checked. */
async function orderAgain(needs: Needs, origin: Origin): Promise<void> {
  const first = (await firstOriginOf(needs, origin)) ?? origin;
  const order = (of: Origin) => orderStream(needs, of.channel, of, { byCheck: true });
  const failure = await order(first);
  if (failure?.code === 'NODE_REFUSED' && first.id !== origin.id) await order(origin);
}

const TAKEN: Finding = { status: 'failed', failure: streamTaken('').message };
const NOT_THERE: Finding = { status: 'failed', failure: 'The streamer does not have this stream.' };
const OUTDATED = 'The streamer runs this stream with an earlier configuration: update the channel again.';

async function check({ streamer }: Needs, { streamer: node, streamId, outdated }: Origin): Promise<Finding> {
  try {
    if (!(await streamer.hasStream(node, streamId))) return NOT_THERE;
    return outdated ? { status: 'failed', failure: OUTDATED } : { status: 'active', failure: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'unreachable', failure: error.message };
  }
}
