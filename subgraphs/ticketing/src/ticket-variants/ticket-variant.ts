import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { admissionsInput, nameInput, placementInput, proseInput } from '../catalogue/inputs.ts';

/** More than any bank accepts in one payment. */
const DEAREST_SEN = 1_000_000_00;

const Input = z.object({
  variant: nameInput,
  nameBm: nameInput,
  nameEn: nameInput,
  nameCn: nameInput,
  descBm: proseInput,
  descEn: proseInput,
  descCn: proseInput,
  unitPriceSen: z
    .int('must be a whole number of sen')
    .min(0, 'must not be negative')
    .max(DEAREST_SEN, `must be at most ${DEAREST_SEN} sen`)
    .transform(BigInt),
  isActive: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  sort: placementInput,
  dailyCapacity: admissionsInput.nullish().transform((value) => value ?? null),
});

const ItemId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'must be 1 to 64 letters, digits, hyphens, dots or underscores');

/**
 * Validates the input of a variant.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export const drawUpVariant = (input: unknown) => readInput(Input, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readItemId = (itemId: string) => readInput(z.object({ itemId: ItemId }), { itemId }).itemId;
