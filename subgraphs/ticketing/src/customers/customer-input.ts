import { badInput } from '@foyer/shared/errors';
import { z } from 'zod';

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'is too long')
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

const Guest = z.object({
  email: z.email('must be an e-mail address').max(254, 'is too long').toLowerCase(),
  fullName: text(120).min(1, 'must not be empty'),
  contactNo: text(40)
    .nullish()
    .transform((value) => value ?? ''),
});

const Registered = Guest.extend({
  password: z.string().min(8, 'must have at least 8 characters').max(200, 'is too long'),
  identificationNo: text(40)
    .nullish()
    .transform((value) => value ?? ''),
});

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readGuest = (input: z.input<typeof Guest>) => read(Guest, input);

/** @throws {Refusal} `VALIDATION_FAILED` */
export const readRegistration = (input: z.input<typeof Registered>) => read(Registered, input);

function read<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw badInput(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
