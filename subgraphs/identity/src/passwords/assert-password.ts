import type { PasswordRules } from '#ports/identity-provider.ts';
import { passwordTooSimple } from './refusals.ts';

/**
 * Checks a new password before anybody looks up whose it would be, so that the answer is the same for everybody.
 *
 * @throws {Refusal} `PASSWORD_TOO_SIMPLE`
 */
export function assertPassword(rules: PasswordRules, password: string): void {
  const lacks = [
    [password.length < rules.minLength, `needs at least ${rules.minLength} characters`],
    [rules.lowercase && !/\p{Ll}/u.test(password), 'needs a lower-case letter'],
    [rules.uppercase && !/\p{Lu}/u.test(password), 'needs an upper-case letter'],
    [rules.number && !/\p{N}/u.test(password), 'needs a digit'],
    [rules.symbol && !/[^\p{L}\p{N}\s]/u.test(password), 'needs a symbol'],
  ] as const;
  const found = lacks.find(([isMissing]) => isMissing);
  if (found) throw passwordTooSimple(found[1]);
}
