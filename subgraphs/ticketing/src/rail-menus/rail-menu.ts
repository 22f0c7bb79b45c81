import { isUniqueViolation } from '@foyer/shared/database-errors';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { nameInput, placementInput, slugInput } from '../catalogue/inputs.ts';
import { railCodeTaken } from './refusals.ts';

const Input = z.object({
  code: slugInput,
  nameBm: nameInput,
  nameEn: nameInput,
  nameCn: nameInput,
  placement: placementInput,
  isActive: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
});

/**
 * Validates the input of a rail menu.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export const drawUpRailMenu = (input: unknown) => readInput(Input, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readPlacement = (placement: unknown) =>
  readInput(z.object({ placement: placementInput }), { placement }).placement;

/** Turns what the database rejects into a refusal. */
export function throwRefusal(error: unknown): never {
  throw isUniqueViolation(error) ? railCodeTaken() : error;
}
