import { badInput } from '@foyer/shared/errors';

import { ringgit, senOf } from '../units/money.ts';
import type { OfferedGroup, OfferedVariant } from './order-reads.ts';
import { itemNotOffered, overLimit, priceMismatch } from './refusals.ts';

/** A line as the client orders it. */
export interface WantedItem {
  itemId: string;
  unitPrice?: number | null | undefined;
  quantityBought: number;
}

/** A line as it will be charged. */
export interface PricedItem {
  variant: OfferedVariant;
  quantityBought: number;
}

export interface Pricing {
  lines: PricedItem[];
  quantity: number;
  /** In sen. */
  totalSen: bigint;
}

/**
 * Prices an order from the catalogue. The client's prices are only compared, so that nobody pays an amount they have not
 * seen.
 *
 * @throws {Refusal} `LIMIT`, `ITEM_NOT_OFFERED`, `PRICE_MISMATCH`, or `VALIDATION_FAILED` for an invalid price
 */
export function priceOrder(
  group: Pick<OfferedGroup, 'orderTicketLimit'>,
  variants: readonly OfferedVariant[],
  wanted: readonly WantedItem[],
): Pricing {
  const limit = group.orderTicketLimit;
  if (wanted.length > limit) throw overLimit(limit);
  const lines = wanted.map((item, index): PricedItem => {
    if (!Number.isInteger(item.quantityBought) || item.quantityBought < 1) throw overLimit(limit);
    const variant = variants.find(({ itemId }) => itemId === item.itemId);
    if (!variant) throw itemNotOffered(item.itemId);
    checkPrice(variant, item.unitPrice, index);
    return { variant, quantityBought: item.quantityBought };
  });
  const quantity = lines.reduce((sum, line) => sum + line.quantityBought, 0);
  if (quantity < 1 || quantity > limit) throw overLimit(limit);
  return { lines, quantity, totalSen: lines.reduce((sum, line) => sum + amountOf(line), 0n) };
}

/** @returns in sen */
export const amountOf = ({ variant, quantityBought }: PricedItem): bigint =>
  variant.unitPriceSen * BigInt(quantityBought);

function checkPrice(
  variant: Pick<OfferedVariant, 'itemId' | 'unitPriceSen'>,
  believed: number | null | undefined,
  index: number,
) {
  if (believed === null || believed === undefined) return;
  const sen = senOf(believed);
  if (sen === null) throw badInput([{ path: `items.${index}.unitPrice`, message: 'must be an amount of ringgit' }]);
  if (sen !== variant.unitPriceSen) throw priceMismatch(variant.itemId, ringgit(variant.unitPriceSen));
}
