import { createHash } from 'node:crypto';

import type { OrderTicketGroup } from '@foyer/prisma/client';
import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';

import type { Receipt } from '../../receipts/pdf/receipt.ts';
import { wordsOf } from './words.ts';

type Visit = Pick<Receipt, 'language' | 'groupName' | 'location' | 'admitDate' | 'lines' | 'paidAt'>;

/**
 * Renders the visit as a calendar file (RFC 5545): one all-day event for all tickets of the order, on its day of
 * admission, which no time zone moves. A later file about the same order replaces the entry. It holds no name of the
 * order that opens the receipt, because people share calendars.
 *
 * @param publicUrl the public address of this server, whose host makes the UID unique
 */
export function visitCalendar(
  { transactionId, version }: Pick<OrderTicketGroup, 'transactionId' | 'version'>,
  { language, groupName, location, admitDate, lines, paidAt }: Visit,
  publicUrl: string,
): string {
  const { lang, attached } = wordsOf[language];
  const bought = lines.map(({ quantity, name }) => `${quantity} × ${name}`);
  const calendar = ical({
    prodId: { company: 'Foyer', product: 'Tickets', language: lang.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `${hashOf(transactionId)}@${new URL(publicUrl).hostname}`,
    sequence: version,
    stamp: paidAt,
    // The day itself, written as UTC midnight: `allDay` writes its date alone.
    start: admitDate,
    allDay: true,
    timezone: 'UTC',
    summary: groupName,
    description: [...bought, attached].join('\n'),
    ...(location && { location }),
    transparency: ICalEventTransparency.TRANSPARENT,
  });
  return calendar.toString();
}

/** Nobody can guess the id behind it, which finds the order. */
const hashOf = (transactionId: string) =>
  createHash('sha256').update(`visit/${transactionId}`).digest('hex').slice(0, 32);
