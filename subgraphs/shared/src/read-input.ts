import type { z } from 'zod';

import './input-words.ts';
import { badInput } from './errors.ts';

/**
 * Reads an input.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, naming every invalid place
 */
export function readInput<Read>(schema: z.ZodType<Read>, input: unknown): Read {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw badInput(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
