import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that identity owns. */
type Models = never;

export type IdentityDatabase = DatabaseOf<Models>;
export type IdentityTransaction = TransactionOf<Models>;
