import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that media owns. */
type Models = never;

export type MediaDatabase = DatabaseOf<Models>;
export type MediaTransaction = TransactionOf<Models>;
