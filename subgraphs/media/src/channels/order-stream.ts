import type { Channel, ChannelOrigin, Streamer } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { streamPayload } from './channel.ts';
import type { OriginFailure } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'clock' | 'log'>;

/** An origin with the node that it is on. */
export type OriginOnNode = ChannelOrigin & { streamer: Streamer };

/**
 * Orders a channel's stream from the streamer of one origin, and writes down what came of it.
 *
 * @returns why the origin does not stream; null when it does
 */
export async function orderStream(needs: Needs, channel: Channel, origin: OriginOnNode): Promise<OriginFailure | null> {
  const failure = await order(needs, channel, origin);
  await needs.db.channelOrigin.updateMany({
    where: { id: origin.id },
    data: { status: failure ? 'failed' : 'active', failure: failure?.message ?? null, checkedAt: needs.clock.now() },
  });
  return failure;
}

async function order({ streamer, log }: Needs, channel: Channel, origin: OriginOnNode): Promise<OriginFailure | null> {
  const { ingestConfig, transcodeConfig, sourceType } = channel;
  const configs = { sourceType, ingestConfig: asObject(ingestConfig), transcodeConfig: asObject(transcodeConfig) };
  try {
    const outcome = await streamer.createStream(origin.streamer, origin.streamId, streamPayload(configs, origin));
    // By its contract a 500 means "exists"; when the node doesn't show the stream, someone should look.
    if (outcome === 'unconfirmed') log.warn({ origin: origin.id }, 'a streamer answered 500 and has no such stream');
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { streamerId: String(origin.streamerId), code: error.reason, message: error.message };
  }
}

/** A JSON column that we only ever fill with objects. */
export const asObject = (json: unknown) => json as Record<string, unknown>;
