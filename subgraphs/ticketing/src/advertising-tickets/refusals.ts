import { Refusal } from '@foyer/shared/errors';

/** Also for one that is someone else's. */
export const advertisingTicketNotFound = () =>
  new Refusal('NOT_FOUND', 'ADVERTISING_TICKET_NOT_FOUND', 'There is no such advertising ticket.');

/** Also for one that is someone else's. */
export const railMenuNotFound = () => new Refusal('NOT_FOUND', 'RAIL_MENU_NOT_FOUND', 'There is no such rail menu.');

export const assignmentNotFound = () =>
  new Refusal('NOT_FOUND', 'ASSIGNMENT_NOT_FOUND', 'The advertising ticket does not stand in this rail menu.');
