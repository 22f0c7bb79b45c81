import type { ChannelOrigin } from '@foyer/prisma/client';
import { doorbell, newsOf } from '@foyer/shared/events/watch';

import type { Context } from '../context.ts';
import { channels } from '../topics.ts';
import { permittedChannel } from './permit-channel.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'notices' | 'signal'>;

/**
 * Tells the status of each origin of a channel, and then of each whose status changes, and of new ones.
 *
 * @throws {Refusal} `CHANNEL_NOT_FOUND`, also later, when it is deleted
 */
export async function watchOrigins(needs: Needs, id: string): Promise<AsyncIterableIterator<ChannelOrigin>> {
  const bell = doorbell(needs.signal);
  bell.onEnd(needs.notices.on(channels.origins, (channel) => (channel === null || channel === id) && bell.ring()));
  try {
    await permittedChannel(needs, id, 'media:view');
    const told = new Map<number, string>();
    const look = async () => {
      const { origins } = await permittedChannel(needs, id, 'media:view');
      return origins.filter((origin) => {
        const before = told.get(origin.id);
        told.set(origin.id, origin.status);
        return before !== origin.status;
      });
    };
    return newsOf({ bell, look });
  } catch (error) {
    bell.end();
    throw error;
  }
}
