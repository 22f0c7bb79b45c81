import type { ChannelOrigin } from '@foyer/prisma/client';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import type { Context } from '../context.ts';
import { topics } from '../topics.ts';
import { findPermittedChannel } from './permit-channel.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'events' | 'signal'>;

/**
 * Subscribes to the origins of a channel: first to all of them, then to each that is new or whose status changes.
 *
 * @throws {Refusal} `CHANNEL_NOT_FOUND`, also later, when the channel is deleted
 */
export async function subscribeToOrigins(needs: Needs, id: string): Promise<AsyncIterableIterator<ChannelOrigin>> {
  const changes = changeSignal(needs.signal);
  changes.onEnd(
    needs.events.subscribe(topics.origins, (channel) => (channel === null || channel === id) && changes.notify()),
  );
  try {
    await findPermittedChannel(needs, id, 'media:view');
    const told = new Map<number, string>();
    const read = async () => {
      const { origins } = await findPermittedChannel(needs, id, 'media:view');
      return origins.filter((origin) => {
        const before = told.get(origin.id);
        told.set(origin.id, origin.status);
        return before !== origin.status;
      });
    };
    return readChanges({ changes, read });
  } catch (error) {
    changes.end();
    throw error;
  }
}
