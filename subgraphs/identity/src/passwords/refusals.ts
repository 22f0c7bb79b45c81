import { Refusal } from '@foyer/shared/errors';

export const currentPasswordRequired = () =>
  new Refusal('BAD_USER_INPUT', 'CURRENT_PASSWORD_REQUIRED', 'The current password is missing.');

/** For a link that was used, expired, replaced or never sent alike. */
export const passwordResetInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_RESET_INVALID', 'This link is not valid any more: ask for another one.');

export const passwordChangeRequired = () =>
  new Refusal('FORBIDDEN', 'PASSWORD_CHANGE_REQUIRED', 'Choose a new password first.');

/** @param lack what is wrong with it, such as "needs a digit" */
export const passwordTooSimple = (lack: string) =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_TOO_SIMPLE', `The password ${lack}.`);

/** @param most in bytes */
export const passwordTooLong = (most: number) =>
  new Refusal(
    'BAD_USER_INPUT',
    'PASSWORD_TOO_LONG',
    `The password is too long: it may have ${most} letters and digits, and fewer of other characters.`,
  );

export const passwordUnchanged = () =>
  new Refusal('BAD_USER_INPUT', 'PASSWORD_UNCHANGED', 'The new password must differ from the current one.');
