import { Refusal } from '@foyer/shared/errors';

export const customerNotFound = () => new Refusal('NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'There is no such customer.');

/** One message for every reason, so that nobody learns which e-mails are known. */
export const invalidCredentials = () =>
  new Refusal('UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'E-mail and password do not belong together.');

export const customerDisabled = () => new Refusal('FORBIDDEN', 'ACCOUNT_DISABLED', 'This account is disabled.');

export const passwordUnchanged = () =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_UNCHANGED', 'The new password must differ from the current one.');

/** The link was used, replaced or never sent, has expired, or somebody else has claimed its address since. */
export const customerLinkInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'CUSTOMER_LINK_INVALID', 'This link is not valid any more: ask for another one.');
