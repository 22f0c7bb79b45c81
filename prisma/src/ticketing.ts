import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that ticketing owns. */
type Models =
  | 'advertisingTicket'
  | 'campaign'
  | 'customer'
  | 'customerLink'
  | 'customerSession'
  | 'dailyCapacity'
  | 'delivery'
  | 'idempotencyKey'
  | 'notification'
  | 'orderTicketGroup'
  | 'orderTicketInfo'
  | 'orderTicketLog'
  | 'paymentAttempt'
  | 'paymentEvent'
  | 'paymentToken'
  | 'railMenu'
  | 'railMenuAdvertisingTicket'
  | 'railMenuTicketGroup'
  | 'targetGroup'
  | 'ticket'
  | 'ticketGroup'
  | 'ticketVariant'
  | 'variantDailyCapacity';

export type TicketingDatabase = DatabaseOf<Models>;
export type TicketingTransaction = TransactionOf<Models>;
