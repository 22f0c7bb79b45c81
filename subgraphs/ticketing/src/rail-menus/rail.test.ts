import { describe, expect, it } from 'vitest';

import { mergeByPlacement } from './rail.ts';

describe('a rail', () => {
  it('shows its cards by placement', () => {
    const groups = [
      { placement: 10, card: 'museum' },
      { placement: 30, card: 'opera' },
    ];

    expect(mergeByPlacement(groups, [{ placement: 20, card: 'coupon' }])).toEqual(['museum', 'coupon', 'opera']);
  });

  it('shows what is sold before what is advertised at the same place', () => {
    expect(mergeByPlacement([{ placement: 10, card: 'museum' }], [{ placement: 10, card: 'coupon' }])).toEqual([
      'museum',
      'coupon',
    ]);
  });

  it('leaves cards of the same place in the order in which they came', () => {
    const groups = ['one', 'two', 'three'].map((card) => ({ placement: 0, card }));

    expect(mergeByPlacement(groups, [])).toEqual(['one', 'two', 'three']);
  });
});
