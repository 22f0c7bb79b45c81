import { belongedTo, type DeletedTenancy } from '@foyer/shared/jobs/deleted-tenancy';

import type { Context } from '../context.ts';
import { removeChannel } from './delete-channel.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'jobs'>;

/**
 * Removes the channels of a deleted organization or workspace, and ends their streams: nobody else could, and their streamers
 * could not be deleted.
 */
export async function removeChannels(needs: Needs, deleted: DeletedTenancy): Promise<void> {
  const channels = await needs.db.channel.findMany({ where: belongedTo(deleted), include: { origins: true } });
  for (const channel of channels) await removeChannel(needs, channel);
}
