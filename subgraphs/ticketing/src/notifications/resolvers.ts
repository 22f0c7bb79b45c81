import type {
  MutationResolvers,
  NotificationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { countUnread, listNotifications, listWorkspaceNotifications } from './list-notifications.ts';
import { markAllRead, markNotification } from './mark-notification.ts';
import { watchNotifications, type AddedNotification } from './watch-notifications.ts';

export const Query = {
  notifications: (_parent, page, context) => listNotifications(context, page),
  unreadNotificationCount: (_parent, _args, context) => countUnread(context),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  updateNotification: (_parent, args, context) => markNotification(context, args),
  markAllNotificationsRead: (_parent, _args, context) => markAllRead(context),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  notificationAdded: {
    subscribe: (_parent, { after }, context) => watchNotifications(context, after),
    resolve: (added: AddedNotification) => added,
  },
} satisfies Partial<SubscriptionResolvers>;

export const Workspace = {
  notifications: ({ id }, page, context) => listWorkspaceNotifications(context, id, page),
} satisfies Partial<WorkspaceResolvers>;

export const Notification = {
  notificationId: ({ notificationId }) => String(notificationId),
} satisfies NotificationResolvers;
