import { Refusal } from '@foyer/shared/errors';

/** For a code that is wrong, expired, used, tried too often or never sent alike. */
export const signupCodeInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'SIGNUP_CODE_INVALID', 'The code is not valid: ask for another one.');

/** Also for an organization that nobody applied for. */
export const applicationNotFound = () =>
  new Refusal('NOT_FOUND', 'APPLICATION_NOT_FOUND', 'Nobody has applied for this organization.');

export const applicationClosed = () =>
  new Refusal('CONFLICT', 'APPLICATION_CLOSED', 'This application has been approved: there is nothing to repair.');
