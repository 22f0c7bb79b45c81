import { Refusal } from '@foyer/shared/errors';

export const ticketGroupNotFound = () =>
  new Refusal('NOT_FOUND', 'TICKET_GROUP_NOT_FOUND', 'There is no such ticket group.');

export const notOnSale = () => new Refusal('BAD_USER_INPUT', 'NOT_ON_SALE', 'These tickets are not on sale.');

export const invalidDate = (why: string) => new Refusal('BAD_USER_INPUT', 'INVALID_DATE', `The admission date ${why}.`);

export const dateClosed = () => new Refusal('BAD_USER_INPUT', 'DATE_CLOSED', 'There is no admission on that day.');

export const overLimit = (most: number) =>
  new Refusal('BAD_USER_INPUT', 'LIMIT', `An order is for at least 1 and at most ${most} tickets.`, { limit: most });

export const itemNotOffered = (itemId: string) =>
  new Refusal('BAD_USER_INPUT', 'ITEM_NOT_OFFERED', 'One of the items is not offered here.', { itemId });

export const soldOut = () => new Refusal('CONFLICT', 'SOLD_OUT', 'There are not enough tickets left for that day.');

export const priceMismatch = (itemId: string, unitPrice: number) =>
  new Refusal('CONFLICT', 'PRICE_MISMATCH', 'The price has changed: please look again.', { itemId, unitPrice });

export const ticketGroupHasOrders = () =>
  new Refusal(
    'CONFLICT',
    'TICKET_GROUP_HAS_ORDERS',
    'There are orders of this ticket group: take it off sale instead.',
  );

export const slugTaken = () =>
  new Refusal('CONFLICT', 'SLUG_TAKEN', 'This organization has another ticket group with this name for links.');

/** A capacity never falls below what is reserved already. */
export const capacityBelowReserved = (date: string, reserved: number) =>
  new Refusal('CONFLICT', 'CAPACITY_BELOW_RESERVED', `On ${date} more is promised already.`, { date, reserved });
