import type { OrderTicketGroup } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';

export const unknownMode = () =>
  new Refusal('BAD_USER_INPUT', 'UNKNOWN_MODE', 'The mode must be individual or corporate.');

/** The order whose payment is refused; the error page is shown in its language. */
type Refused = Pick<OrderTicketGroup, 'langChosen'>;

export const notPayable = ({ langChosen }: Refused, transactionStatus: string) =>
  new Refusal('CONFLICT', 'ORDER_NOT_PAYABLE', 'This order can no longer be paid.', { transactionStatus, langChosen });

export const formMismatch = ({ langChosen }: Refused, field: string) =>
  new Refusal('CONFLICT', 'FORM_MISMATCH', 'The payment form does not agree with the order.', { field, langChosen });

export const tokenUsed = ({ langChosen }: Refused) =>
  new Refusal('CONFLICT', 'PAYMENT_TOKEN_USED', 'This payment form was used already or is too old: start again.', {
    langChosen,
  });

export const decryptOff = () =>
  new Refusal('NOT_FOUND', 'DECRYPT_DISABLED', 'Return payloads can not be looked into here.');

export const payloadUnreadable = () =>
  new Refusal('BAD_USER_INPUT', 'INVALID_PAYLOAD', 'This payload can not be read.');
