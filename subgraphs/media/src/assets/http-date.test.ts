import { describe, expect, it } from 'vitest';

import { readHttpDate } from './http-date.ts';

describe('a date in a header', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'has one of the three forms of HTTP: %s',
    (text) => {
      expect(readHttpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );

  it.each([undefined, '', '0', '1994-11-06T08:49:37Z', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
    'is nothing else: %s',
    (text) => {
      expect(readHttpDate(text)).toBeNull();
    },
  );
});
