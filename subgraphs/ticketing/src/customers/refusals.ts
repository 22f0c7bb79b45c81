import { Refusal } from '@foyer/shared/errors';

export const customerNotFound = () => new Refusal('NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'There is no such customer.');

export const emailTaken = () =>
  new Refusal('CONFLICT', 'EMAIL_TAKEN', 'There is a customer with this e-mail already: sign in instead.');

/** One text for whatever is wrong: nobody learns which e-mails are known. */
export const invalidCredentials = () =>
  new Refusal('UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'E-mail and password do not belong together.');

export const customerDisabled = () => new Refusal('FORBIDDEN', 'ACCOUNT_DISABLED', 'This account is disabled.');
