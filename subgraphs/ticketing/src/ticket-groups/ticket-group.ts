import { z } from 'zod';
import { readInput } from '@foyer/shared/read-input';

import { dateColumn, isDay } from '../units/calendar.ts';
import {
  admissionsInput,
  nameInput,
  placementInput,
  printableInput,
  proseInput,
  slugInput,
  textInput,
} from '../catalogue/inputs.ts';
import { imageInput } from '../images/image-input.ts';

const day = z
  .string()
  .nullish()
  // Aborts, because an invalid day can't be compared with another.
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
    imageMediaId: imageInput.transform((id) => id ?? null),
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
      .array(printableInput(40).min(1, 'must not be empty'))
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
 * Validates the input of a ticket group.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export const drawUpTicketGroup = (input: unknown) => readInput(Input, input);
