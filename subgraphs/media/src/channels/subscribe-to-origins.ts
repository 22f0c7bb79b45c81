import type { ChannelOrigin } from '@foyer/prisma/client';
import { doorbell, newsOf } from '@foyer/shared/events/watch';

import type { Context } from '../context.ts';
import { topics } from '../topics.ts';
import { findPermittedChannel } from './permit-channel.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'notices' | 'signal'>;

/**
 * Subscribes to the origins of a channel: first to all of them, then to each that is new or whose status changes.
 *
 * @throws {Refusal} `CHANNEL_NOT_FOUND`, also later, when the channel is deleted
 */
export async function subscribeToOrigins(needs: Needs, id: string): Promise<AsyncIterableIterator<ChannelOrigin>> {
  const bell = doorbell(needs.signal);
  bell.onEnd(needs.notices.on(topics.origins, (channel) => (channel === null || channel === id) && bell.ring()));
  try {
    await findPermittedChannel(needs, id, 'media:view');
    const told = new Map<number, string>();
    const look = async () => {
      const { origins } = await findPermittedChannel(needs, id, 'media:view');
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
