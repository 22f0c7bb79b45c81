import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { readInput } from './read-input.ts';
import { Refusal } from './errors.ts';

/** The message for the sender of a value, as a sentence and place by place. */
function told(schema: z.ZodType, given: unknown) {
  try {
    readInput(z.object({ it: schema }), { it: given });
  } catch (error) {
    if (error instanceof Refusal) return { message: error.message, errors: error.extensions['errors'] };
  }
  return undefined;
}

describe('the message for an invalid input', () => {
  it.each([
    ['is missing', z.string(), undefined],
    ['is missing', z.string(), null],
    ['is missing', z.enum(['draft', 'active']), null],
    ['is missing', z.union([z.string(), z.number()]), null],
    ['must be text', z.string(), 7],
    ['must be a number', z.coerce.number(), 'seven'],
    ['must be a whole number', z.number().int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be true or false', z.stringbool(), 'maybe'],
    ['must be a list', z.array(z.string()), 'a'],
    ['must be an object', z.object({}), 'a'],
    ['must not be empty', z.string().min(1), ''],
    ['must have at least 8 characters', z.string().min(8), 'short'],
    ['must have at most 2 entries', z.array(z.string()).max(2), ['a', 'b', 'c']],
    ['must be at least 1', z.number().min(1), 0],
    ['must be at most 100', z.number().max(100), 101],
    ['must be more than 0', z.number().positive(), 0],
    ['must be draft or active', z.enum(['draft', 'active']), 'lost'],
    ['must be an e-mail address', z.email(), 'nobody'],
    ['must be a web address', z.url(), 'nowhere'],
    ['must be a uuid', z.guid(), '1'],
    ['must be a date such as 2026-11-22', z.iso.date(), 'tomorrow'],
    ['must not have more', z.strictObject({}), { more: 1 }],
    ['is not valid', z.union([z.string(), z.number()]), true],
    ['has words of its own', z.string('has words of its own'), 7],
  ])('%s', (words, schema, given) => {
    expect(told(schema, given)).toEqual({ message: `it ${words}.`, errors: [{ path: 'it', message: words }] });
  });
});
