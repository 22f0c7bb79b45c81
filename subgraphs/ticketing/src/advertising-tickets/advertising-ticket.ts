import type { AdvertisingTicket, Prisma } from '@foyer/prisma/client';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { dateColumn, isDay } from '../units/calendar.ts';
import { LARGEST_INT } from '../catalogue/inputs.ts';
import { imageInput } from '../images/image-input.ts';

const optional = <Type extends z.ZodType>(type: Type) => type.nullish();

const text = (most: number) => optional(z.string().max(most)).transform((value) => value ?? '');
/** The documents name no limit; this is enough for any text on a card. */
const title = text(20_000);
const body = text(20_000);

/** Links are shown to everybody, so `javascript:` and the like are refused. */
const isWebAddress = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
const link = text(8_000).refine((value) => value === '' || isWebAddress(value), 'must be an http or https address');
const imageLink = text(8_000).refine(
  (value) => value === '' || isWebAddress(value) || /^\/(?!\/)/.test(value),
  'must be an http or https address, or a path',
);

const day = optional(z.string())
  // Aborts, because an invalid day can't be compared with another.
  .refine((value) => !value || isDay(value), { error: 'must be a day as YYYY-MM-DD', abort: true })
  .transform((value) => (value ? dateColumn(value) : null));

const Input = z
  .object({
    advertisementType: z.enum(['brandImage', 'coupon', 'editorial', 'typographic']),
    advertiser: title,
    color: optional(z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #1F1D36')),
    placement: optional(z.int().min(-LARGEST_INT).max(LARGEST_INT)),
    titleBm: title,
    titleEn: title,
    titleCn: title,
    headerBm: title,
    headerEn: title,
    headerCn: title,
    descBm: body,
    descEn: body,
    descCn: body,
    actionButton: title,
    redirectUrl: link,
    imageUrl: imageLink,
    imageMediaId: imageInput,
    activeStartDate: day,
    activeEndDate: day,
    isActive: optional(z.boolean()),
  })
  .refine(({ activeStartDate: from, activeEndDate: to }) => !from || !to || from <= to, {
    path: ['activeEndDate'],
    message: 'must not be before activeStartDate',
  });

type Settings = Pick<AdvertisingTicket, 'color' | 'placement' | 'isActive'>;

const settingsOfANewOne: Settings = { color: '#000000', placement: 0, isActive: true };

/**
 * Validates the input of an advertising ticket. A missing text becomes empty; a missing setting stays as it was, so that
 * a hidden card does not come back because a client left a field out.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function drawUpAdvertisingTicket(input: unknown, before = settingsOfANewOne) {
  const { color, placement, isActive, ...said } = readInput(Input, input);
  return {
    ...said,
    color: color ?? before.color,
    placement: placement ?? before.placement,
    isActive: isActive ?? before.isActive,
  };
}

/**
 * Selects the advertising tickets that are shown on a day.
 *
 * @param today YYYY-MM-DD, in Malaysian time
 */
export const shownOn = (today: string): Prisma.AdvertisingTicketWhereInput => ({
  isActive: true,
  AND: [
    { OR: [{ activeStartDate: null }, { activeStartDate: { lte: dateColumn(today) } }] },
    { OR: [{ activeEndDate: null }, { activeEndDate: { gte: dateColumn(today) } }] },
  ],
});
