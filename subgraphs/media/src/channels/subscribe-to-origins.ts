import type { ChannelOrigin } from '@foyer/prisma/client';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import { changedStates } from '../changed-states.ts';
import type { Context } from '../context.ts';
import { topics } from '../topics.ts';
import { findPermittedChannel } from './permit-channel.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'events' | 'signal'>;

/**
 * Subscribes to the origins of a channel: first to all of them, then to each that is new or whose status changes; null
 * when one was removed.
 *
 * @throws {Refusal} `CHANNEL_NOT_FOUND`, also later, when the channel is deleted
 */
export async function subscribeToOrigins(
  needs: Needs,
  id: string,
): Promise<AsyncIterableIterator<ChannelOrigin | null>> {
  const changes = changeSignal(needs.signal);
  changes.onEnd(
    needs.events.subscribe(topics.origins, (channel) => (channel === null || channel === id) && changes.notify()),
  );
  try {
    await findPermittedChannel(needs, id, 'media:view');
    const changed = changedStates<ChannelOrigin>((origin) => origin.id);
    const read = async () => {
      return changed((await findPermittedChannel(needs, id, 'media:view')).origins);
    };
    return readChanges({ changes, read });
  } catch (error) {
    changes.end();
    throw error;
  }
}
