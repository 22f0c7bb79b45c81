import { z } from 'zod';

import type { NotificationsQuery } from '../generated/operations.ts';

export const Notification = z
  .object({
    notificationId: z.int(),
    performedBy: z.string(),
    authorityLevel: z.string(),
    type: z.string(),
    title: z.string(),
    message: z.string(),
    date: z.string(),
    isRead: z.boolean(),
    isDeleted: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Notification' });

type NotificationParts = NonNullable<NotificationsQuery['notifications']>['edges'][number]['node'];

export const notification = (found: NotificationParts): z.input<typeof Notification> => ({
  ...found,
  notificationId: Number(found.notificationId),
});
