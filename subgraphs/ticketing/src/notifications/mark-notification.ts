import { badInput } from '@foyer/shared/errors';
import { serialId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { visibleNotifications } from './list-notifications.ts';
import { notificationNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Args {
  notificationId: string;
  isRead?: boolean | null | undefined;
  isDeleted?: boolean | null | undefined;
}

/**
 * Marks a notification as read or removed, for everybody. Repeating it changes nothing, and `false` undoes nothing.
 *
 * @throws {Refusal} `VALIDATION_FAILED` unless something is `true`; `NOTIFICATION_NOT_FOUND`
 */
export async function markNotification(needs: Needs, { notificationId, isRead, isDeleted }: Args) {
  if (!isRead && !isDeleted) {
    const [path, other] = isDeleted === false ? ['isDeleted', 'isRead'] : ['isRead', 'isDeleted'];
    throw badInput([{ path, message: `or ${other} must be true` }]);
  }
  const [marked] = await needs.db.notification.updateManyAndReturn({
    where: {
      AND: [
        await visibleNotifications(needs),
        { notificationId: serialId(notificationId) ?? -1n },
        isDeleted ? {} : { isDeleted: false }, // a removed one can't be marked as read
      ],
    },
    data: { ...(isRead && { isRead }), ...(isDeleted && { isDeleted }) },
  });
  if (!marked) throw notificationNotFound();
  return marked;
}

/** Marks all of the viewer's notifications as read. Returns how many were unread. */
export async function markAllRead(needs: Needs): Promise<number> {
  const { count } = await needs.db.notification.updateMany({
    where: { AND: [await visibleNotifications(needs), { isRead: false, isDeleted: false }] },
    data: { isRead: true },
  });
  return count;
}
