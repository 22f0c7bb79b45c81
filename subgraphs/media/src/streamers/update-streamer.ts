import type { Context } from '../context.ts';
import { movePlayback } from '../channels/move-playback.ts';
import { updateNode, type NodeChanges } from '../nodes/update-node.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'nodeAddresses' | 'playbackUrl'>;

/** Updates a streamer, and the playback URLs of its channels. */
export const updateStreamer = (needs: Needs, changes: NodeChanges & { id: string }) =>
  updateNode(needs, 'streamer', changes, (tx, streamer) => movePlayback(tx, needs.playbackUrl, streamer));
