import { describe, expect, it } from 'vitest';

import { companyDeadline, extensionOf, formDeadline, isUnreached, isWorthRequerying, nextRequery } from './deadline.ts';

const settings = { pendingMinutes: 30, pendingCorporateHours: 72 };
const minute = 60_000;
/** Noon in Malaysia. */
const now = new Date('2026-12-01T04:00:00Z');
const admitDate = (day: string) => new Date(`${day}T00:00:00Z`);
const after = (minutes: number) => new Date(now.getTime() + minutes * minute);

describe('the deadline of a payment', () => {
  it('is half an hour for individuals, whatever the day of admission', () => {
    const ofPerson = (day: string) => formDeadline({ msgToken: '01', admitDate: admitDate(day) }, settings, now);

    expect(ofPerson('2026-12-24')).toEqual(after(30));
    expect(ofPerson('2026-12-01')).toEqual(after(30));
  });

  it('is half an hour for companies, too, until the bank knows of the payment', () => {
    const ofCompany = (day: string, at = now) =>
      formDeadline({ msgToken: '02', admitDate: admitDate(day) }, settings, at);

    expect(ofCompany('2026-12-24')).toEqual(after(30));
    expect(ofCompany('2026-12-01')).toEqual(after(30));
    const midnight = new Date('2026-12-02T00:00:00+08:00');
    expect(ofCompany('2026-12-02', new Date(midnight.getTime() - 10 * minute))).toEqual(midnight);
  });

  it('is three days for companies from then on, but not past the midnight at which the day of admission begins', () => {
    const ofCompany = (day: string) => companyDeadline({ admitDate: admitDate(day) }, settings, now);

    expect(ofCompany('2026-12-24')).toEqual(after(72 * 60));
    expect(ofCompany('2026-12-03')).toEqual(new Date('2026-12-03T00:00:00+08:00'));
    expect(ofCompany('2026-12-01')).toBeNull();
  });
});

describe('a buyer who was sent to the bank', () => {
  it.each([
    [3, 10, true],
    [9, 11, true],
    [2, 60, false],
    [3, 9, false],
  ])(
    'never reached it when the bank answered %i times in %i minutes that it knows no payment: %s',
    (notKnown, minutes, unreached) => {
      expect(isUnreached({ sentAt: now, notKnown }, after(minutes))).toBe(unreached);
    },
  );
});

describe('an order whose gateway does not answer', () => {
  const person = { msgToken: '01', admitDate: admitDate('2026-12-24'), expiryExtendedMinutes: 0 };

  it('waits ten minutes longer, and three hours at the most', () => {
    expect(extensionOf(person, now)).toBe(10);
    expect(extensionOf({ ...person, expiryExtendedMinutes: 170 }, now)).toBe(10);
    expect(extensionOf({ ...person, expiryExtendedMinutes: 180 }, now)).toBe(0);
  });

  it('does not wait into the day of admission when a company pays', () => {
    const company = { ...person, msgToken: '02', admitDate: admitDate('2026-12-02') };

    expect(extensionOf(company, new Date('2026-12-01T23:56:00+08:00'))).toBe(4);
  });
});

describe('the gateway is queried', () => {
  const schedule = [120, 300, 600, 900, 1_800];

  it('after 2, 5, 10, 15 and 30 minutes, and then each hour', () => {
    const queries = Array.from({ length: 8 }, (_, at) => nextRequery(schedule, at + 1, now, now));

    expect(queries).toEqual([2, 5, 10, 15, 30, 90, 150, 210].map(after));
  });

  it('waits a minute even when late, because a server that was down has many orders to query', () => {
    expect(nextRequery(schedule, 2, now, after(60))).toEqual(after(61));
  });

  const open = { transactionStatus: 'PENDING', bankCurrentStatus: '', reviewReason: null, holdExpiresAt: now } as const;
  const expired = { ...open, transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED' } as const;
  const rejected = { ...expired, bankCurrentStatus: '51 Insufficient funds' } as const;

  it.each([
    ['a payment that is pending', open, 0, true],
    ['one that staff must look at', { ...open, reviewReason: 'AMOUNT_MISMATCH' as const }, 0, false],
    ['an order that expired an hour ago', expired, 60, true],
    ['one that expired almost four days ago', expired, 96 * 60 - 1, true],
    ['one that expired four days ago', expired, 96 * 60, false],
    ['one whose only form the bank rejected', { ...rejected, holdExpiresAt: null }, 0, false],
    ['one of whose forms the bank rejected', rejected, 60, true],
    ['one of whose forms the bank rejected four days ago', rejected, 96 * 60, false],
    ['one that was cancelled', { ...expired, bankCurrentStatus: 'CANCELLED' }, 0, false],
    ['one that staff has refunded', { ...expired, bankCurrentStatus: 'REFUNDED' }, 0, false],
    ['one that is paid', { ...open, transactionStatus: 'SUCCESS' as const }, 0, false],
  ])('about %s: %#', (_what, order, minutes, expected) => {
    expect(isWorthRequerying(order, settings, after(minutes))).toBe(expected);
  });
});
