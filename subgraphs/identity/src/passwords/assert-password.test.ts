import { describe, expect, it } from 'vitest';

import { assertComplex } from '../simulators/identity-provider/passwords.ts';
import { assertPassword } from './assert-password.ts';

const rules = { minLength: 8, lowercase: true, uppercase: true, number: true, symbol: true };

// As Zitadel's internal/domain/policy_password_complexity.go has it: ASCII, and bytes.
describe('a new password', () => {
  it.each([
    ['Kuala Lumpur 2026', 'a space is a symbol'],
    ['Passwörter1', 'so is a letter with an accent'],
    ['Aa1-密码', 'a character counts for its bytes'],
  ])('%s is taken, as the identity provider takes it: %s', (password) => {
    expect(() => assertPassword(rules, password)).not.toThrow();
    expect(() => assertComplex(password)).not.toThrow();
  });

  it.each([
    ['Aa1-密', 'needs at least 8 characters'],
    ['ABCDEF-1é', 'needs a lower-case letter'],
    ['abcdef-1É', 'needs an upper-case letter'],
    ['Abcdefg-١', 'needs a digit'],
    ['Abcdefg1', 'needs a symbol'],
  ])('%s is refused, as the identity provider refuses it: %s', (password, lack) => {
    expect(() => assertPassword(rules, password)).toThrow(lack);
    expect(() => assertComplex(password)).toThrow();
  });
});
