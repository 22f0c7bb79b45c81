/**
 * The events that processes send each other through the database. Triggers publish them (prisma/models/ticketing.sql),
 * so they leave with the commit or not at all.
 */
export const topics = {
  /** The status of an order has changed. Payload: its number. */
  orders: 'ticketing_orders',
  /** A day of a ticket group has changed. Payload: `<ticketGroupId>/<YYYY-MM-DD>`; without a day, all days have. */
  days: 'ticketing_days',
  /** A notification was written. Payload: its organization, or nothing for the whole platform. */
  notifications: 'ticketing_notifications',
} as const;
