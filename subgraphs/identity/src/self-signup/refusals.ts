import { Refusal } from '@foyer/shared/errors';

/** Wrong, too old, used, tried too often, or never sent: nobody learns which. */
export const signupCodeInvalid = () =>
  new Refusal('BAD_USER_INPUT', 'SIGNUP_CODE_INVALID', 'The code is not valid: ask for another one.');
