import { z } from 'zod';

/** The most characters that the identity provider accepts in any text about a person. */
const LIMIT = 200;
const TOO_LONG = `must have at most ${LIMIT} characters`;

/** A user name, a given name or a family name. */
export const personNameInput = z.string().trim().min(1, 'must not be empty').max(LIMIT, TOO_LONG);

export const emailInput = z.email('must be an e-mail address').max(LIMIT, TOO_LONG);

/** A password as it was typed, blanks included. */
export const passwordInput = z.string().min(1, 'must not be empty').max(LIMIT, TOO_LONG);
