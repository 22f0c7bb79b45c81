import { Refusal } from '@foyer/shared/errors';

export const currentPasswordRequired = () =>
  new Refusal('BAD_USER_INPUT', 'CURRENT_PASSWORD_REQUIRED', 'The current password is missing.');

/** For a link that was used, expired, replaced or never sent alike. */
export const passwordResetInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_RESET_INVALID', 'This link is not valid any more: ask for another one.');

export const passwordChangeRequired = () =>
  new Refusal('FORBIDDEN', 'PASSWORD_CHANGE_REQUIRED', 'Choose a new password first.');
