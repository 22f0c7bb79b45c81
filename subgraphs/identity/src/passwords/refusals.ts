import { Refusal } from '@foyer/shared/errors';

export const currentPasswordRequired = () =>
  new Refusal('BAD_USER_INPUT', 'CURRENT_PASSWORD_REQUIRED', 'The current password is missing.');

/** Used, too old, replaced by another one, or never sent: nobody learns which. */
export const passwordResetInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_RESET_INVALID', 'This link is not valid any more: ask for another one.');

export const passwordChangeRequired = () =>
  new Refusal('FORBIDDEN', 'PASSWORD_CHANGE_REQUIRED', 'Choose a new password first.');
