import type { Context } from '../context.ts';
import { ringgit } from '../money.ts';
import type { Offer } from '../orders/order-reads.ts';
import { checkDay } from './availability.ts';
import { amountOf, priceOrder, type WantedItem } from './price.ts';
import { soldOut, ticketGroupNotFound } from './refusals.ts';

type Needs = Pick<Context, 'orderReads' | 'clock'>;

interface Wanted {
  ticketGroupId: string;
  admitDate: string;
  items: readonly WantedItem[];
}

/**
 * Checks and prices what is to be ordered, by every rule of an order; holds nothing.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, and those of `checkDay` and `priceOrder`, and `SOLD_OUT`
 */
export function priceOffer({ clock }: Pick<Needs, 'clock'>, found: Offer | null, { admitDate, items }: Wanted) {
  if (!found) throw ticketGroupNotFound();

  const { variants, dailyCapacities, ...group } = found;
  const [day = null] = dailyCapacities;
  checkDay(group, admitDate, day, clock.now());
  const pricing = priceOrder(group, variants, items);
  const left = day ? day.capacity - day.reserved : group.dailyCapacity;
  if (left < pricing.quantity) throw soldOut();
  return { group, ...pricing };
}

/** What an order would cost, for a cart to show. */
export async function quoteOrder(needs: Needs, wanted: Wanted) {
  const { lines, totalSen } = priceOffer(needs, await needs.orderReads.offer(wanted), wanted);
  return {
    lines: lines.map((line) => ({
      itemId: line.variant.itemId,
      unitPrice: ringgit(line.variant.unitPriceSen),
      quantityBought: line.quantityBought,
      amount: ringgit(amountOf(line)),
    })),
    totalAmount: ringgit(totalSen),
    currency: 'MYR',
  };
}
