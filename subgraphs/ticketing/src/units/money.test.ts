import { describe, expect, it } from 'vitest';

import { ringgit, ringgitText, senOf, senOfText } from './money.ts';

describe('money', () => {
  it('is shown in ringgit', () => {
    expect(ringgit(4_550n)).toBe(45.5);
    expect(ringgitText(5n)).toBe('0.05');
    expect(ringgitText(10_000n)).toBe('100.00');
  });

  it.each([
    [45.5, 4_550n],
    [0.1, 10n],
    [19.99, 1_999n],
    [0, 0n],
  ])('reads %s ringgit as %s sen', (amount, sen) => expect(senOf(amount)).toBe(sen));

  it.each([-1, 1.005, Number.NaN, Number.POSITIVE_INFINITY, 1e20])('refuses %s as an amount', (amount) =>
    expect(senOf(amount)).toBeNull(),
  );

  it.each(['1', '1.0', '01.00', '-1.00', '1,000.00', ' 1.00', '1.000', '1e2'])(
    'refuses the text "%s" as an amount',
    (text) => expect(senOfText(text)).toBeNull(),
  );

  it('reads what it writes', () => expect(senOfText(ringgitText(123_456n))).toBe(123_456n));
});
