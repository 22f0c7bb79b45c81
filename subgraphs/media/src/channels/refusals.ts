import { badInput, Refusal } from '@foyer/shared/errors';
import { numberIn } from '@foyer/shared/ids';

/** Why one origin of a channel does not stream. */
export interface OriginFailure {
  streamerId: string;
  /** The reason, as in a refusal. */
  code: string;
  message: string;
}

/** Also for a channel that the viewer may not see. */
export const channelNotFound = (id: string) =>
  new Refusal('NOT_FOUND', 'CHANNEL_NOT_FOUND', 'There is no such channel.', { id: numberIn(id) });

export const unknownSourceType = () =>
  badInput([
    { path: 'sourceType', message: 'The source type is udp_multicast (or udp, multicast), or pl (or playlist, loop).' },
  ]);

/** The channel was not created, or not changed. REST shows `errors`. */
export const noOriginWorks = (failures: readonly OriginFailure[]) =>
  new Refusal('BAD_GATEWAY', 'ALL_ORIGINS_FAILED', 'No streamer took the channel; nothing was changed.', {
    failures: failures.map(({ streamerId, ...why }) => ({ streamerId: numberIn(streamerId), ...why })),
    errors: failures.map(({ streamerId, message }) => ({ path: `streamers.${streamerId}`, message })),
  });

export const streamerMissing = (streamerId: string): OriginFailure => ({
  streamerId,
  code: 'NODE_NOT_FOUND',
  message: 'There is no such streamer.',
});

export const streamShared = (streamerId: string): OriginFailure => ({
  streamerId,
  code: 'STREAM_SHARED',
  message: 'Another channel of the same name runs on this streamer; the stream keeps its settings.',
});

export const streamTaken = (streamerId: string): OriginFailure => ({
  streamerId,
  code: 'STREAM_TAKEN',
  message: 'A channel of another organization has a stream of this name on this streamer.',
});
