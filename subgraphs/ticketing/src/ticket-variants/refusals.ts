import { Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const ticketVariantNotFound = () =>
  new Refusal('NOT_FOUND', 'TICKET_VARIANT_NOT_FOUND', 'There is no such ticket variant.');

export const itemIdTaken = () =>
  new Refusal('CONFLICT', 'ITEM_ID_TAKEN', 'Another variant of this organization is called by this item id already.');
