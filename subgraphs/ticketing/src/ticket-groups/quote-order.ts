import { priceOffer, type WantedOrder } from '../catalogue/price-offer.ts';
import { amountOf } from '../catalogue/price.ts';
import type { Context } from '../context.ts';
import { ringgit } from '../units/money.ts';

type Needs = Pick<Context, 'orderReads' | 'clock'>;

/** Prices an order for a cart to show, without placing it. */
export async function quoteOrder(needs: Needs, wanted: WantedOrder) {
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
