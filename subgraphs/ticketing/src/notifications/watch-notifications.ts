import type { Notification } from '@foyer/prisma/client';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import { topics } from '../topics.ts';
import type { Context } from '../context.ts';
import { cursorOfNotification, positionOf, visibleNotifications } from './list-notifications.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'events' | 'signal'>;

export interface AddedNotification {
  cursor: string;
  node: Notification;
}

/** The cursor before the first of all: the one of an empty list. */
const BEFORE_ALL = '0';
/** How many are read at once. */
const BATCH = 100;

/**
 * Yields each of the viewer's notifications once, in the order of commits: those since a cursor, then new ones.
 * Permissions are checked again at each read.
 *
 * @param after the cursor of the last one that the client knows, `0` when there was none; without it, or with one from
 *   the future, only what comes from now on
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`; `VALIDATION_FAILED` for an invalid cursor
 */
export async function watchNotifications(
  needs: Needs,
  after?: string | null,
): Promise<AsyncIterableIterator<AddedNotification>> {
  const changes = changeSignal(needs.signal);
  // Listen first, then look: nothing is missed.
  changes.onEnd(needs.events.subscribe(topics.notifications, changes.notify));
  try {
    await visibleNotifications(needs);
    let position = await beginning(needs, after);
    const read = async () => {
      const rows = await needs.db.notification.findMany({
        where: { AND: [await visibleNotifications(needs), { isDeleted: false, position: { gt: position } }] },
        orderBy: { position: 'asc' },
        take: BATCH,
      });
      position = rows.at(-1)?.position ?? position;
      return rows.map((node) => ({ cursor: cursorOfNotification(node), node }));
    };
    return readChanges({ changes, read });
  } catch (error) {
    changes.end();
    throw error;
  }
}

/** Starts at the newest position for a cursor from the future, which would otherwise silence the stream. */
async function beginning(needs: Needs, after: string | null | undefined): Promise<bigint> {
  const known = after === BEFORE_ALL ? 0n : after ? positionOf(after) : null;
  const last = await lastPosition(needs);
  return known === null || known > last ? last : known;
}

async function lastPosition({ db }: Needs): Promise<bigint> {
  return (await db.notification.aggregate({ _max: { position: true } }))._max.position ?? 0n;
}
