import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that ticketing owns. */
type Models = never;

export type TicketingDatabase = DatabaseOf<Models>;
export type TicketingTransaction = TransactionOf<Models>;
