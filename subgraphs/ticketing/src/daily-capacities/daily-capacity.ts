import { badInput } from '@foyer/shared/errors';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { daysAfter } from '../units/calendar.ts';
import { admissionsInput } from '../catalogue/inputs.ts';

/** A day of a ticket group as staff see it. */
export interface ManagedDay {
  date: string;
  capacity: number;
  reserved: number;
  closed: boolean;
  /** Set by hand, so a new default does not change it. */
  overridden: boolean;
}

const MOST_DAYS = 366;

const Input = z.object({
  capacity: admissionsInput.nullish().transform((value) => value ?? null),
  closed: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
});

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readDayInput = (input: unknown) => readInput(Input, input);

/**
 * Lists the days of a range, both ends included.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for more than a year, or when `from` is after `to`
 */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  if (from > to || daysAfter(from, MOST_DAYS) <= to) {
    throw badInput([{ path: 'to', message: `must be from 0 to ${MOST_DAYS - 1} days after \`from\`` }]);
  }
  const days: string[] = [];
  for (let day = from; day <= to; day = daysAfter(day, 1)) days.push(day);
  return days;
}
