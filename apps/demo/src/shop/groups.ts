import type { GroupFragment, TicketGroupQuery } from '../generated/operations.ts';

/** A ticket group on sale, with all that an order needs. */
export type TicketGroup = NonNullable<TicketGroupQuery['ticketGroup']>;

export const leastPrice = ({ variants }: Pick<GroupFragment, 'variants'>): number | undefined =>
  variants.length > 0 ? Math.min(...variants.map(({ unitPrice }) => unitPrice)) : undefined;
