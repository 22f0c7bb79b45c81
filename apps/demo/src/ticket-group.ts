import type { TicketGroupsQuery } from './generated/operations.ts';

/** A ticket group on sale, as the storefront shows it. */
export type TicketGroup = NonNullable<TicketGroupsQuery['ticketGroups']>['edges'][number]['node'];
