import { describe, expect, it } from 'vitest';

import { dateColumn } from '../units/calendar.ts';
import { availabilityOf, checkDay } from './availability.ts';

/** Thursday, 5 March 2026, 18:30 in Malaysia. */
const now = new Date('2026-03-05T10:30:00Z');

const group = {
  isActive: true,
  activeStartDate: dateColumn('2026-03-01'),
  activeEndDate: dateColumn('2026-06-30'),
  closedWeekdays: [1],
  salesCutoff: '19:00',
  maxAdvanceDays: 90,
  dailyCapacity: 100,
  variants: [{ dailyCapacity: null, dailyCapacities: [] }],
};

const refusalOf = (date: string, changes = {}, at = now) => {
  try {
    checkDay({ ...group, ...changes }, date, null, at);
    return null;
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};

describe('an order for a day', () => {
  it.each(['2026-03-05', '2026-03-06', '2026-06-03'])('is taken for %s', (date) => expect(refusalOf(date)).toBeNull());

  it.each([
    ['a day that has passed', '2026-03-04', 'INVALID_DATE'],
    ['a day that does not exist', '2026-02-30', 'INVALID_DATE'],
    ['something that is no day', '5 March', 'INVALID_DATE'],
    ['a day too far ahead', '2026-06-04', 'INVALID_DATE'],
    ['a closed weekday', '2026-03-09', 'DATE_CLOSED'],
  ])('is refused for %s', (_what, date, reason) => expect(refusalOf(date)).toBe(reason));

  it('is refused for a day after the last one', () => {
    expect(refusalOf('2026-07-01', { maxAdvanceDays: 365 })).toBe('INVALID_DATE');
  });

  it('is refused for today, once sales for today have ended', () => {
    expect(refusalOf('2026-03-05', {}, new Date('2026-03-05T11:00:00Z'))).toBe('INVALID_DATE');
  });

  it('goes by the Malaysian day, not by UTC', () => {
    expect(refusalOf('2026-03-05', {}, new Date('2026-03-05T16:30:00Z'))).toBe('INVALID_DATE');
  });

  it.each([
    ['withdrawn', { isActive: false }],
    ['not on sale yet', { activeStartDate: dateColumn('2026-03-06') }],
    ['over', { activeEndDate: dateColumn('2026-03-04') }],
  ])('is refused for a group that is %s', (_what, changes) =>
    expect(refusalOf('2026-03-06', changes)).toBe('NOT_ON_SALE'),
  );
});

describe('the calendar', () => {
  const day = { capacity: 100, reserved: 0, closed: false };

  it('does not show how well something sells', () => {
    expect(availabilityOf(group, '2026-03-06', null, now)).toMatchObject({ status: 'AVAILABLE', remaining: null });
  });

  it('shows how many are left when they are few', () => {
    expect(availabilityOf(group, '2026-03-06', { ...day, reserved: 85 }, now)).toMatchObject({ remaining: 15 });
  });

  it('shows sold-out and closed days', () => {
    expect(availabilityOf(group, '2026-03-06', { ...day, reserved: 100 }, now).status).toBe('SOLD_OUT');
    expect(availabilityOf(group, '2026-03-06', { ...day, closed: true }, now).status).toBe('CLOSED');
  });

  it('goes by the kinds of admission, too, when each has a capacity of its own', () => {
    const sold = { admitDate: dateColumn('2026-03-06'), capacity: 2, reserved: 2 };
    const full = { dailyCapacity: 2, dailyCapacities: [sold] };
    const on = (...variants: { dailyCapacity: number | null; dailyCapacities: (typeof sold)[] }[]) =>
      availabilityOf({ ...group, variants }, '2026-03-06', day, now);

    expect(on(full)).toMatchObject({ status: 'SOLD_OUT', remaining: 0 });
    expect(on(full, { dailyCapacity: 3, dailyCapacities: [] })).toMatchObject({ status: 'AVAILABLE', remaining: 3 });
    const reduced = { dailyCapacity: 1, dailyCapacities: [{ ...sold, capacity: 1 }] };
    expect(on(reduced, { dailyCapacity: 3, dailyCapacities: [] })).toMatchObject({ status: 'AVAILABLE', remaining: 3 });
    expect(on(full, ...group.variants)).toMatchObject({ status: 'AVAILABLE', remaining: null });
    expect(on()).toMatchObject({ status: 'CLOSED', remaining: null });
  });
});
