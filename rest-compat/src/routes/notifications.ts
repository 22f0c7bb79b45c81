import { z } from 'zod';

import { Done, done, nodes, ok, okOf } from '../answers/envelope.ts';
import { Notification, notification } from '../answers/notifications.ts';
import { NotificationsDocument, UpdateNotificationDocument } from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { route } from '../route.ts';

/** Spec 2, "Notifications": not deleted, newest first; at most 200 at a time, and a `Link` to those before them. */
export const notifications = [
  route('GET', '/api/notifications', {
    document: NotificationsDocument,
    input: z.object({
      query: z.object({
        limit: z.coerce.number().int().min(1).max(200).default(200),
        after: z.string().max(200).optional(),
      }),
    }),
    variables: ({ query }) => ({ first: query.limit, after: query.after ?? null }),
    next: ({ notifications: found }, { query: { limit } }) =>
      found?.pageInfo.hasNextPage ? `/api/notifications?limit=${limit}&after=${found.pageInfo.endCursor}` : undefined,
    answer: okOf(z.array(Notification)),
    reply: ({ notifications: found }) => ok(nodes(found, notification)),
  }),

  route('PUT', '/api/notification', {
    document: UpdateNotificationDocument,
    input: z.object({
      body: z
        .object({
          notificationId: documentedId,
          isRead: z.boolean().nullish(),
          isDeleted: z.boolean().nullish(),
        })
        .refine(({ isRead, isDeleted }) => isRead || isDeleted, {
          path: ['isRead'],
          message: 'or isDeleted must be true',
        }),
    }),
    variables: ({ body }) => body,
    answer: okOf(Done),
    reply: () => ok(done),
  }),
];
