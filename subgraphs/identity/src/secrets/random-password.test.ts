import { describe, expect, it } from 'vitest';

import { randomPassword } from './random-password.ts';

describe('a random password', () => {
  it('meets every rule of complexity, and is never the same', () => {
    const passwords = Array.from({ length: 200 }, randomPassword);
    for (const password of passwords) {
      expect(password).toHaveLength(20);
      for (const kind of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/]) expect(password).toMatch(kind);
    }
    expect(new Set(passwords).size).toBe(200);
  });
});
