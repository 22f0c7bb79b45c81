import { movePlayback } from '../channels/move-playback.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'db' | 'playbackUrl'>;

const NAME = 'Embedded streamer';

/** Registers the embedded streamer node with its current ports. */
export const registerEmbeddedStreamer = (needs: Needs, at: { host: string; httpPort: number; apiPort: number }) =>
  needs.db.$transaction(async (tx) => {
    const known = await tx.streamer.findFirst({ where: { name: NAME }, orderBy: { id: 'asc' } });
    if (!known) return tx.streamer.create({ data: { name: NAME, ...at } });
    const streamer = await tx.streamer.update({ where: { id: known.id }, data: at });
    await movePlayback(tx, needs.playbackUrl, streamer);
    return streamer;
  });
