import { headerValue, ownHeaderValue } from '@foyer/shared/http/header-value';
import { z } from 'zod';

import '@foyer/shared/input-words';

export const count = z.int().positive();
/** A limit, or 0 for none. */
export const orNone = z.int().nonnegative();

const msIn: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const durationOf = (form: RegExp) =>
  z
    .string()
    .regex(form, 'must be a duration such as 500ms, 10s or 5m')
    .transform((text) => Number.parseInt(text, 10) * (msIn[text.replace(/\d+/, '')] ?? 1));

/** Read as milliseconds. */
export const duration = durationOf(/^[1-9]\d{0,8}(ms|s|m|h)$/);
/** The same, or `0s` for none. */
export const durationOrNone = durationOf(/^\d{1,9}(ms|s|m|h)$/);

const isPattern = (text: string) => {
  try {
    return Boolean(new RegExp(text, 'i'));
  } catch {
    return false;
  }
};

/** Part of a name, or all of it, in any case. */
export const pattern = z
  .string()
  .min(1)
  .max(500)
  .refine(isPattern, 'must be a regular expression')
  .transform((text) => new RegExp(text, 'i'));

/** Fits a whole origin only: what merely begins with one of ours may be anybody's. */
export const originPattern = z
  .string()
  .min(1)
  .max(500)
  .refine(isPattern, 'must be a regular expression')
  .transform((text) => new RegExp(`^(?:${text})$`));

/** The name of a header, in lower case. */
export const headerName = (isUsable: (name: string) => boolean) =>
  z
    .string()
    .toLowerCase()
    .refine(isUsable, 'can not be set: it is no header name, or one that HTTP or the gateway sets');

export const headerText = z
  .string()
  .max(8_192)
  .refine((text) => headerValue(text) !== undefined, 'must hold only what a header may hold')
  .transform((text) => ownHeaderValue(text));

export const httpUrl = z.url({ protocol: /^https?$/, message: 'must be an http:// or https:// address' });

/** One text, or several. */
export const oneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'must be a text, or a list of texts')
  .transform((given) => [given].flat());
