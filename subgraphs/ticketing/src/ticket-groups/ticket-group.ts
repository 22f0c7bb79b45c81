import { z } from 'zod';

import { dateColumn, isDay } from '../calendar.ts';
import { imageInput } from '../images/image-input.ts';
import { readInput } from '@foyer/shared/read-input';

const LARGEST_INT = 2_147_483_647;
/** As many as a house may ever let in on one day. */
const MOST_ADMISSIONS = 1_000_000;

const printable = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** A name in one language; each of the three is shown to somebody who reads no other. */
export const nameInput = printable(200).min(1, 'must not be empty');
/** A short text; absent is empty. */
const textInput = (most: number) =>
  printable(most)
    .nullish()
    .transform((value) => value ?? '');
/** A text of several lines; absent is empty. */
export const proseInput = z
  .string()
  .trim()
  .max(4_000, 'must have at most 4000 characters')
  .refine((value) => !value.includes('\0'), 'must not hold control characters')
  .nullish()
  .transform((value) => value ?? '');
/** A place among others, smallest first. */
export const placementInput = z
  .int()
  .min(-LARGEST_INT)
  .max(LARGEST_INT)
  .nullish()
  .transform((value) => value ?? 0);
/** A name for links. */
export const slugInput = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between')
  .max(80, 'must have at most 80 characters');
export const admissionsInput = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(MOST_ADMISSIONS, `must be at most ${MOST_ADMISSIONS}`);

const day = z
  .string()
  .nullish()
  // Aborts: what is no day is neither before nor after another.
  .refine((value) => !value || isDay(value), { error: 'must be a day that exists, as YYYY-MM-DD', abort: true })
  .transform((value) => (value ? dateColumn(value) : null));

const imageLink = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? '')
  .refine(
    (value) => value === '' || /^\/(?!\/)/.test(value) || /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be an http or https address, or a path',
  );

const Input = z
  .object({
    slug: slugInput,
    groupNameBm: nameInput,
    groupNameEn: nameInput,
    groupNameCn: nameInput,
    groupDescBm: proseInput,
    groupDescEn: proseInput,
    groupDescCn: proseInput,
    imageUrl: imageLink,
    imageMediaId: imageInput,
    location: textInput(200),
    organiserName: textInput(200),
    organiserContact: textInput(200),
    pricePrefixBm: textInput(40),
    pricePrefixEn: textInput(40),
    pricePrefixCn: textInput(40),
    priceSuffixBm: textInput(40),
    priceSuffixEn: textInput(40),
    priceSuffixCn: textInput(40),
    tags: z
      .array(printable(40).min(1, 'must not be empty'))
      .max(20, 'must be at most 20')
      .nullish()
      .transform((tags) => [...new Set(tags)]),
    placement: placementInput,
    orderTicketLimit: z
      .int()
      .min(1, 'must be from 1 to 255')
      .max(255, 'must be from 1 to 255')
      .nullish()
      .transform((value) => value ?? 20),
    activeStartDate: day,
    activeEndDate: day,
    isActive: z
      .boolean()
      .nullish()
      .transform((value) => value ?? true),
    dailyCapacity: admissionsInput,
    closedWeekdays: z
      .array(z.int().min(1, 'must be from 1 (Monday) to 7 (Sunday)').max(7, 'must be from 1 (Monday) to 7 (Sunday)'))
      .max(7, 'must be at most 7')
      .nullish()
      .transform((days) => [...new Set(days)].toSorted((one, other) => one - other)),
    salesCutoff: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm')
      .nullish()
      .transform((value) => value ?? null),
    maxAdvanceDays: z
      .int()
      .min(0, 'must be from 0 to 730')
      .max(730, 'must be from 0 to 730')
      .nullish()
      .transform((value) => value ?? 90),
  })
  .refine(({ activeStartDate: from, activeEndDate: to }) => !from || !to || from <= to, {
    path: ['activeEndDate'],
    message: 'must not be before activeStartDate',
  });

/**
 * What a ticket group is to be, ready to be written down.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export const drawUpTicketGroup = (input: unknown) => readInput(Input, input);
