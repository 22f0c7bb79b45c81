import { Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const advertisingTicketNotFound = () =>
  new Refusal('NOT_FOUND', 'ADVERTISING_TICKET_NOT_FOUND', 'There is no such advertising ticket.');
