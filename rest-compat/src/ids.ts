import { z } from 'zod';

/** A documented number (unsigned integer); GraphQL knows it as an ID, in digits. */
export const documentedId = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,18}$/, 'must be a number')])
  .transform(String);
