import type { Channel, ChannelOrigin, Streamer } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { streamPayload } from './channel.ts';
import type { OriginFailure } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'clock' | 'log'>;

/** An origin with its streamer node. */
export type OriginOnNode = ChannelOrigin & { streamer: Streamer };

/**
 * Creates a channel's stream on the streamer of one origin, and records the outcome.
 *
 * @param anew whether an existing stream of the same id ends first
 * @returns why the origin does not stream; null when it does
 */
export async function orderStream(needs: Needs, channel: Channel, origin: OriginOnNode, { anew = false } = {}) {
  const failure = await order(needs, channel, origin, anew);
  await needs.db.channelOrigin.updateMany({
    where: { id: origin.id },
    data: {
      ...(failure
        ? { status: 'failed', failure: failure.message }
        : { status: 'active', failure: null, outdated: false }),
      checkedAt: needs.clock.now(),
    },
  });
  return failure;
}

async function order(
  { streamer, log }: Needs,
  channel: Channel,
  origin: OriginOnNode,
  anew: boolean,
): Promise<OriginFailure | null> {
  const { streamer: node, streamId } = origin;
  try {
    if (anew) await streamer.deleteStream(node, streamId);
    const outcome = await streamer.createStream(node, streamId, streamPayload(configsOf(channel), origin));
    // By the API's contract a 500 means "exists"; an operator should look when the node does not list the stream.
    if (outcome === 'unconfirmed') log.warn({ origin: origin.id }, 'a streamer answered 500 and has no such stream');
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
