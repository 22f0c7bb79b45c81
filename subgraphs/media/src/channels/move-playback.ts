import type { Streamer } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import { playbackUrlOf } from './channel.ts';

/** Updates the playback URLs of the origins on a streamer whose address changed. */
export async function movePlayback(tx: MediaTransaction, template: string, streamer: Streamer): Promise<void> {
  const origins = await tx.channelOrigin.findMany({ where: { streamerId: streamer.id } });
  for (const { id, streamId, playbackUrl } of origins) {
    const moved = playbackUrlOf(template, streamer, streamId);
    if (moved !== playbackUrl) await tx.channelOrigin.update({ where: { id }, data: { playbackUrl: moved } });
  }
}
