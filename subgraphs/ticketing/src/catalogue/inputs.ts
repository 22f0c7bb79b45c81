import { z } from 'zod';

/** The largest number of a column that holds integers. */
export const LARGEST_INT = 2_147_483_647;
/** The most people that a venue may ever let in on one day. */
const MOST_ADMISSIONS = 1_000_000;

/** A text of one line. */
export const printableInput = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** A name in one language; all three are required. */
export const nameInput = printableInput(200).min(1, 'must not be empty');
/** A short text; absent is empty. */
export const textInput = (most: number) =>
  printableInput(most)
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
/** A sort position, smallest first. */
export const placementInput = z
  .int()
  .min(-LARGEST_INT)
  .max(LARGEST_INT)
  .nullish()
  .transform((value) => value ?? 0);
/** A name for URLs. */
export const slugInput = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between')
  .max(80, 'must have at most 80 characters');
/** A number of admissions on one day. */
export const admissionsInput = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(MOST_ADMISSIONS, `must be at most ${MOST_ADMISSIONS}`);
