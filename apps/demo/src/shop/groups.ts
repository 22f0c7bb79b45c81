import type { GroupFragment, TicketGroupQuery } from '../generated/operations.ts';

/** A ticket group on sale, with all that an order needs. */
export type TicketGroup = NonNullable<TicketGroupQuery['ticketGroup']>;

/** The different prices of a ticket group, in ringgit, the least first. */
export const pricesOf = ({ variants }: Pick<GroupFragment, 'variants'>): number[] =>
  [...new Set(variants.map(({ unitPrice }) => unitPrice))].toSorted((one, other) => one - other);
