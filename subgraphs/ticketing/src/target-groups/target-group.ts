import { isReferenceViolation, isUniqueViolation } from '@foyer/shared/database-errors';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { nameInput, proseInput } from '../catalogue/inputs.ts';
import { targetGroupExists, targetGroupInUse } from './refusals.ts';

const Input = z.object({ name: nameInput, description: proseInput });

/**
 * Validates the input of a target group.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export const drawUpTargetGroup = (input: unknown) => readInput(Input, input);

/** Turns what the database rejects into a refusal. */
export function throwRefusal(error: unknown): never {
  if (isUniqueViolation(error)) throw targetGroupExists();
  if (isReferenceViolation(error)) throw targetGroupInUse();
  throw error;
}
