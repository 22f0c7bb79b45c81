/**
 * What processes tell each other through the database; it leaves with the commit, and not without it: triggers
 * send it (prisma/models/ticketing.sql).
 */
export const channels = {
  /** The status of an order has changed: its number. */
  orders: 'ticketing_orders',
  /** A day of a group has changed: `<ticketGroupId>/<YYYY-MM-DD>`, without a day all of them. */
  days: 'ticketing_days',
  /** Something was notified: the organization, or nothing for the whole platform. */
  notifications: 'ticketing_notifications',
} as const;
