import type { AdvertisingTicket, TicketGroup } from '@foyer/prisma/client';

export type RailMenuItem = TicketGroup | AdvertisingTicket;

interface Placed<Card> {
  /** Its place in the rail, smallest first. */
  placement: number;
  card: Card;
}

/**
 * Puts the cards of a rail in order: by placement; where that is the same, ticket groups first,
 * so that what is sold is never behind what is advertised.
 */
export const mergeByPlacement = <Group, Advertisement>(
  groups: readonly Placed<Group>[],
  advertisements: readonly Placed<Advertisement>[],
): (Group | Advertisement)[] =>
  [...groups, ...advertisements]
    .toSorted((one, other) => one.placement - other.placement) // stable: what is equal keeps its order
    .map(({ card }) => card);
