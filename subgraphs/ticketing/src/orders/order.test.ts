import { describe, expect, it } from 'vitest';

import { maskEmail, maskName } from '../access/masks.ts';
import { languageOf } from '../units/language.ts';
import { isOrderNo, modeOf, orderNo } from './order.ts';
import { whereOf } from './matching-orders.ts';

describe('an order number', () => {
  it('names the day and 65 random bits, without characters that are easy to mix up', () => {
    expect(
      orderNo(
        '2026-03-05',
        Uint8Array.from({ length: 13 }, (_, index) => index * 19),
      ),
    ).toMatch(/^ORD-20260305-[0-9A-HJKMNP-TV-Z]{13}$/);
  });

  it.each(['', "' OR 1=1--", 'a\0b', 'x'.repeat(65)])('is never %j', (text) => expect(isOrderNo(text)).toBe(false));
});

describe('a viewer who only knows a number', () => {
  it('sees neither e-mail nor name', () => {
    expect(maskEmail('siti@example.my')).toBe('s***@example.my');
    expect(maskName('Siti Aminah')).toBe('S***');
    expect(maskName('𠮷田')).toBe('𠮷***');
  });
});

describe('older and newer clients', () => {
  it.each([
    ['BM', 'bm'],
    ['ms', 'bm'],
    ['zh', 'cn'],
    [undefined, 'bm'],
    ['fr', null],
  ])('may write %s for a language', (text, language) => expect(languageOf(text)).toBe(language));

  it.each([
    ['individual', '01'],
    ['02', '02'],
    [undefined, '01'],
    ['cash', null],
  ])('may write %s for a mode', (text, mode) => expect(modeOf(text)).toBe(mode));
});

describe('the search for orders', () => {
  it('escapes wildcards', () => {
    expect(whereOf({ query: String.raw`50%_\off` }).OR?.[0]).toMatchObject({
      orderNo: { contains: String.raw`50\%\_\\off` },
    });
  });

  it('looks for a whole order number, however it is written, as a number only', () => {
    expect(whereOf({ query: ' ord-20261121-e3dy3q36h9hyz\n' })).toEqual({ orderNo: 'ORD-20261121-E3DY3Q36H9HYZ' });
    expect(whereOf({ query: 'ORD-20261121-E3DY3Q36H9HY' }).OR).toHaveLength(3);
  });

  it('includes both days, as days are in Malaysia', () => {
    expect(whereOf({ startDate: '2026-03-05', endDate: '2026-03-05' }).createdAt).toEqual({
      gte: new Date('2026-03-04T16:00:00Z'),
      lt: new Date('2026-03-05T16:00:00Z'),
    });
  });

  it('may begin with the first day of the calendar, which databases keep in the year 1', () => {
    const { createdAt } = whereOf({ startDate: '0001-01-01' });
    expect(createdAt).toEqual({ gte: new Date('0001-01-01T00:00:00Z') });
  });

  it('refuses a range whose end comes before its start', () => {
    expect(() => whereOf({ startDate: '2026-03-06', endDate: '2026-03-05' })).toThrow(/must not be after/);
  });
});
