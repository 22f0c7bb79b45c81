import type { AdvertisingTicket, TicketGroup } from '@foyer/prisma/client';

export type RailMenuItem = TicketGroup | AdvertisingTicket;

interface Placed<Card> {
  /** Its place in the rail, smallest first. */
  placement: number;
  card: Card;
}

/**
 * Sorts the cards of a rail menu by placement; ticket groups come before advertisements with the same placement.
 */
export const mergeByPlacement = <Group, Advertisement>(
  groups: readonly Placed<Group>[],
  advertisements: readonly Placed<Advertisement>[],
): (Group | Advertisement)[] =>
  [...groups, ...advertisements]
    .toSorted((one, other) => one.placement - other.placement) // stable: equal placements keep their order
    .map(({ card }) => card);
