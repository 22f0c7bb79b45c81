import { z } from 'zod';

/** Reads a documented unsigned integer, as a number or its digits, and returns the digits: a GraphQL ID. */
export const documentedId = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,18}$/, 'must be a number')])
  .transform(String);
