import { describe, expect, it } from 'vitest';

import { readRange } from './byte-range.ts';

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-4', { start: 0, end: 4 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
  ])('%s of ten bytes', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });

  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('%s lies outside of ten bytes', (header) => {
    expect(readRange(header, 10)).toBe('unsatisfiable');
  });

  it.each([undefined, '', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b'])(
    '%s means everything',
    (header) => {
      expect(readRange(header, 10)).toBeNull();
    },
  );
});
