import type { Clock } from '@foyer/shared/clock';

import { checkDay } from './availability.ts';
import type { Offer } from './order-reads.ts';
import { priceOrder, type PricedItem, type Pricing, type WantedItem } from './price.ts';
import { soldOut, ticketGroupNotFound } from './refusals.ts';

/** What is to be ordered. `admitDate` is a day, YYYY-MM-DD. */
export interface WantedOrder {
  ticketGroupId: string;
  admitDate: string;
  items: readonly WantedItem[];
}

/**
 * Checks and prices what is to be ordered by every rule of an order. It reserves nothing.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, and those of `checkDay` and `priceOrder`, and `SOLD_OUT`
 */
export function priceOffer({ clock }: { clock: Clock }, found: Offer | null, { admitDate, items }: WantedOrder) {
  if (!found) throw ticketGroupNotFound();

  const { group, variants, day } = found;
  checkDay(group, admitDate, day, clock.now());
  const pricing = priceOrder(group, variants, items);
  const left = day ? day.capacity - day.reserved : group.dailyCapacity;
  if (left < pricing.quantity || pricing.lines.some((line) => !isLeft(line, pricing))) throw soldOut();
  return { group, ...pricing };
}

/** Whether a variant is left for all of its lines. */
function isLeft({ variant }: PricedItem, { lines }: Pricing): boolean {
  const wanted = lines.reduce((sum, line) => sum + (line.variant === variant ? line.quantityBought : 0), 0);
  return variant.left === null || wanted <= variant.left;
}
