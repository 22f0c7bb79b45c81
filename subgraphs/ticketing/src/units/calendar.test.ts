import { describe, expect, it } from 'vitest';

import { dayOf, daysAfter, isDay, readable, stampOf, weekdayOf } from './calendar.ts';

describe('the calendar', () => {
  it('takes the day and the time of a moment in Malaysia', () => {
    expect(dayOf(new Date('2026-11-27T15:59:59Z'))).toBe('2026-11-27');
    expect(dayOf(new Date('2026-11-27T16:00:00Z'))).toBe('2026-11-28');
    expect(stampOf(new Date('2026-12-31T16:00:01Z'))).toBe('01-01-2027 00:00:01');
  });

  it.each([
    ['2026-11-27', 0, '2026-11-27'],
    ['2026-11-30', 1, '2026-12-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-11-27', 365, '2027-11-27'],
    ['2026-03-01', -1, '2026-02-28'],
  ])('counts days: from %s, %i later it is %s', (day, count, expected) => {
    expect(daysAfter(day, count)).toBe(expected);
  });

  it.each([
    ['2026-11-23', 1],
    ['2026-11-28', 6],
    ['2026-11-29', 7],
  ])('numbers weekdays from Monday: %s is %i', (day, expected) => {
    expect(weekdayOf(day)).toBe(expected);
  });

  it('shows a moment that RFC 3339 can not write as the last one that it can', () => {
    expect(readable(new Date('+010000-01-01T00:00:00Z'))).toBe('9999-12-31T23:59:59.999Z');
    expect(readable(new Date('10000-01-01T00:00:00Z'))).toBe('9999-12-31T23:59:59.999Z'); // as Prisma reads it: no date
    expect(readable(new Date('9999-12-31T16:00:00Z'))).toBe('9999-12-31T16:00:00.000Z');
  });

  it('knows which days exist, however often it is asked', () => {
    const texts = [
      '2026-02-28',
      '2026-02-29',
      '2028-02-29',
      '2026-13-01',
      '2026-1-1',
      '',
      '2026-02-28T00:00',
      '0000-01-01',
    ];
    const expected = [true, false, true, false, false, false, false, false];
    expect(texts.map(isDay)).toEqual(expected);
    expect(texts.map(isDay)).toEqual(expected);
  });
});
