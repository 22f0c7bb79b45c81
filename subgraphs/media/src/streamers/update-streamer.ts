import type { Context } from '../context.ts';
import { movePlayback } from '../channels/move-playback.ts';
import { updateNode, type NodeChanges } from '../nodes/update-node.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'nodeAddresses' | 'playbackUrl'>;

/** Changes what is said about a streamer, and with it where its channels are watched. */
export const updateStreamer = (needs: Needs, changes: NodeChanges & { id: string }) =>
  updateNode(needs, 'streamer', changes, (tx, streamer) => movePlayback(tx, needs.playbackUrl, streamer));
