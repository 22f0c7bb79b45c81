import { afterEach, describe, expect, it, vi } from 'vitest';

import { visitCalendar } from './visit-calendar.ts';

const order = { transactionId: '0a0c0000-0000-4000-8000-000000000001', version: 3 };
const visit = {
  language: 'en' as const,
  groupName: 'Night & Day; the museum, 電影',
  location: 'Kuala Lumpur, Jalan 1',
  admitDate: new Date('2026-12-31T00:00:00Z'),
  lines: [
    { name: 'Adult', variant: '', quantity: 2, unitPriceSen: 0n },
    { name: 'Child', variant: '', quantity: 1, unitPriceSen: 0n },
  ],
  paidAt: new Date('2026-12-01T03:04:05Z'),
};

/** The properties of the file, unfolded (RFC 5545 section 3.1). */
const linesOf = (changes: Partial<typeof order> & Partial<typeof visit> = {}) =>
  visitCalendar({ ...order, ...changes }, { ...visit, ...changes }, 'https://foyer.example:8443')
    .replaceAll('\r\n ', '')
    .split('\r\n');

afterEach(() => void vi.unstubAllEnvs());

describe('the calendar file of a visit', () => {
  it('has one all-day event with all tickets, in the words of the order', () => {
    expect(linesOf()).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Foyer//Tickets//EN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      expect.stringMatching(/^UID:[0-9a-f]{32}@foyer\.example$/),
      'SEQUENCE:3',
      'DTSTAMP:20261201T030405Z',
      'DTSTART;VALUE=DATE:20261231',
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE',
      'SUMMARY:Night & Day\\; the museum\\, 電影',
      'TRANSP:TRANSPARENT',
      'LOCATION:Kuala Lumpur\\, Jalan 1',
      'DESCRIPTION:2 × Adult\\n1 × Child\\nYour tickets are attached as a PDF. Show the QR code at the entrance.',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it.each(['America/Los_Angeles', 'Asia/Kuala_Lumpur', 'Pacific/Kiritimati'])(
    'is on the day of the ticket on a server in %s',
    (zone) => {
      vi.stubEnv('TZ', zone);

      expect(linesOf()).toContain('DTSTART;VALUE=DATE:20261231');
    },
  );

  it('replaces the entry of an earlier mail: the same UID, and a greater number', () => {
    const [earlier, later] = [linesOf(), linesOf({ version: 4, admitDate: new Date('2027-01-01T00:00:00Z') })];

    expect(later.filter((line) => line.startsWith('UID'))).toEqual(earlier.filter((line) => line.startsWith('UID')));
    expect(later).toContain('SEQUENCE:4');
  });

  it('does not name the transaction id, which finds the order', () => {
    expect(linesOf().join()).not.toContain(order.transactionId);
  });

  it('does not let a name add lines of its own', () => {
    const lines = linesOf({ groupName: 'A\r\nATTACH:https://evil.example' });

    expect(lines.filter((line) => line.startsWith('ATTACH'))).toEqual([]);
  });
});
