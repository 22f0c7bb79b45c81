import { describe, expect, it } from 'vitest';

import { readPage } from './pagination.ts';

describe('a page of a list', () => {
  it.each([
    ['first', { first: 0 }],
    ['first', { first: 101 }],
    ['offset', { offset: -1 }],
    ['page', { page: 0 }],
    ['page', { page: -1 }],
  ])('is refused by the name of what is out of range: %s of %j', (path, asked) => {
    expect(() => readPage(asked)).toThrow(
      expect.objectContaining({
        reason: 'VALIDATION_FAILED',
        extensions: expect.objectContaining({ errors: [expect.objectContaining({ path })] }),
      }),
    );
  });

  it.each([0, 100_001])('is refused with the numbers that pages have: %s', (page) => {
    expect(() => readPage({ page })).toThrow('page must be from 1 to 100000.');
  });

  it('begins where it says, or at the beginning', () => {
    expect([{}, { page: 1 }, { page: 3, first: 10 }, { offset: 7 }].map((asked) => readPage(asked).skip)).toEqual([
      0, 0, 20, 7,
    ]);
  });
});
