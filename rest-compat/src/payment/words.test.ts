import { describe, expect, it } from 'vitest';

import { refusalWords, spokenIn } from './words.ts';

const [{ words }] = spokenIn('en');

describe('the text of a payment that can not be started', () => {
  it.each([
    ['ORDER_NOT_PAYABLE', 409, 'This order can no longer be paid.'],
    ['VALIDATION_FAILED', 400, 'This form can not be read.'],
    ['TOO_MANY_REQUESTS', 429, 'There were too many attempts.'],
    ['RATE_LIMITED', 429, 'There were too many attempts.'],
  ])('is about its reason: %s', (code, status, text) => {
    expect(refusalWords(words, code, status)).toContain(text);
  });
});
