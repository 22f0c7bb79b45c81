import { Refusal } from '@foyer/shared/errors';

/** Refuses a message from server to server: XC changed, XW too old. */
export const notSealed = (why: 'XC' | 'XW') =>
  new Refusal('FORBIDDEN', why, why === 'XC' ? 'The message was changed.' : 'The message is too old.');

export const paymentNotFound = () => new Refusal('NOT_FOUND', 'PAYMENT_NOT_FOUND', 'There is no such payment.');
