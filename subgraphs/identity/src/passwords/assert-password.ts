import type { PasswordRules } from '#ports/identity-provider.ts';
import { passwordTooSimple } from './refusals.ts';

/**
 * Checks a new password before anybody looks up whose it would be, so that the answer is the same for everybody.
 * It takes what the identity provider takes, which knows ASCII and counts bytes.
 *
 * @throws {Refusal} `PASSWORD_TOO_SIMPLE`
 */
export function assertPassword(rules: PasswordRules, password: string): void {
  const lacks = [
    [Buffer.byteLength(password) < rules.minLength, `needs at least ${rules.minLength} characters`],
    [rules.lowercase && !/[a-z]/.test(password), 'needs a lower-case letter'],
    [rules.uppercase && !/[A-Z]/.test(password), 'needs an upper-case letter'],
    [rules.number && !/\d/.test(password), 'needs a digit'],
    [rules.symbol && !/[^A-Za-z\d]/.test(password), 'needs a symbol'],
  ] as const;
  const found = lacks.find(([isMissing]) => isMissing);
  if (found) throw passwordTooSimple(found[1]);
}
