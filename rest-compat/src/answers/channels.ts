import { z } from 'zod';

import type { ChannelPartsFragment, CreateChannelMutation } from '../generated/operations.ts';
import { okOf } from './envelope.ts';

const Config = z.record(z.string(), z.unknown());

export const Channel = z
  .object({
    id: z.int(),
    sid: z.int(),
    name: z.string(),
    sourceType: z.string(),
    ingestConfig: Config,
    transcodeConfig: Config,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    quality: z.string(),
    origins: z.array(
      z.object({
        id: z.int(),
        channelId: z.int(),
        streamerId: z.int(),
        ingestUrl: z.string(),
        streamId: z.string(),
        playbackUrl: z.string(),
        status: z.enum(['pending', 'active', 'failed', 'unreachable']),
      }),
    ),
  })
  .meta({ id: 'Channel' });

export function oneChannel({ id, quality, origins, ...fields }: ChannelPartsFragment): z.input<typeof Channel> {
  return {
    id: Number(id),
    ...fields,
    quality: quality ?? '', // the document has a string here and in ingestUrl
    origins: origins.map(({ id, channelId, streamerId, ingestUrl, ...origin }) => ({
      id: Number(id),
      channelId: Number(channelId),
      streamerId: Number(streamerId),
      ingestUrl: ingestUrl ?? '',
      ...origin,
    })),
  };
}

/** A streamer that did not take the channel. */
const ChannelFailure = z
  .object({ streamerId: z.int(), code: z.string(), message: z.string() })
  .meta({ id: 'ChannelFailure' });

export interface ChannelFailureParts {
  streamerId: string;
  code: string;
  message: string;
}

export const channelFailure = ({ streamerId, ...why }: ChannelFailureParts): z.input<typeof ChannelFailure> => ({
  streamerId: Number(streamerId),
  ...why,
});

export const ChangedChannel = okOf(Channel)
  .extend({ failures: z.array(ChannelFailure) })
  .meta({ id: 'ChangedChannel' });

export function changedChannel({
  channel,
  failures,
}: CreateChannelMutation['createChannel']): z.input<typeof ChangedChannel> {
  return { success: true, data: oneChannel(channel), failures: failures.map(channelFailure) };
}
