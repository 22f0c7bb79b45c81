import { advertisingFields, advertisingRoutes } from './advertising.ts';
import { campaignFields, campaignRoutes } from './campaigns.ts';
import { notificationEvents, notificationFields, notificationRoutes } from './notifications.ts';
import { orderAuthentication, orderRoutes, receipt } from './order-routes.ts';
import { orderStates, paymentEvents } from './order-states.ts';
import { orderFields } from './orders.ts';
import { paymentRoutes } from './payment.ts';
import { service, versioning } from './service.ts';

/** Document 2, section by section. */
export const ticketing = {
  'What the service does': service,
  Campaign: campaignFields,
  'Advertising ticket': advertisingFields,
  'Order group, order item, order log entry': orderFields,
  Notification: notificationFields,
  'Order transactionStatus': orderStates,
  Campaigns: campaignRoutes,
  'Advertising tickets': advertisingRoutes,
  Orders: orderRoutes,
  Payment: paymentRoutes,
  Receipt: receipt,
  Notifications: notificationRoutes,
  Authentication: orderAuthentication,
  Events: { ...paymentEvents, ...notificationEvents },
  Versioning: versioning,
};
