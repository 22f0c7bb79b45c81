import type { Notification } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import { serialId } from '@foyer/shared/ids';
import { doorbell, newsOf } from '@foyer/shared/watch';

import { channels } from '../channels.ts';
import { readCursor } from '../connection.ts';
import type { Context } from '../context.ts';
import { cursorOfNotification, toldTo } from './list-notifications.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'notices' | 'signal'>;

export interface AddedNotification {
  cursor: string;
  node: Notification;
}

/** How many are read at once. */
const BATCH = 100;

/**
 * Tells the viewer each notification once, in the order of their commits: what was missed since a cursor, and
 * what comes. Whether they may is asked at each look.
 *
 * @param after the cursor of the last one that the client knows; without it only what comes from now on
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`; `VALIDATION_FAILED` for a cursor that is none of ours
 */
export async function watchNotifications(
  needs: Needs,
  after?: string | null,
): Promise<AsyncIterableIterator<AddedNotification>> {
  const bell = doorbell(needs.signal);
  // Listen first, then look: nothing is missed.
  bell.onEnd(needs.notices.on(channels.notifications, bell.ring));
  try {
    await toldTo(needs);
    let position = after ? positionOf(after) : await lastPosition(needs);
    const look = async () => {
      const rows = await needs.db.notification.findMany({
        where: { AND: [await toldTo(needs), { isDeleted: false, position: { gt: position } }] },
        orderBy: { position: 'asc' },
        take: BATCH,
      });
      position = rows.at(-1)?.position ?? position;
      return rows.map((node) => ({ cursor: cursorOfNotification(node), node }));
    };
    return newsOf({ bell, look });
  } catch (error) {
    bell.end();
    throw error;
  }
}

function positionOf(cursor: string): bigint {
  const position = serialId(readCursor(cursor)[0] ?? '');
  if (!position) throw badInput([{ path: 'after', message: 'is not a cursor of this list' }]);
  return position;
}

async function lastPosition({ db }: Needs): Promise<bigint> {
  return (await db.notification.aggregate({ _max: { position: true } }))._max.position ?? 0n;
}
