import { badInput, type InputError } from '@foyer/shared/errors';
import { uuidText, type Id } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { z } from 'zod';

import type { WantedItem } from '../catalogue/price.ts';
import { modeOf } from '../orders/order.ts';
import { emailAddress } from '../units/email-address.ts';
import { languageOf } from '../units/language.ts';

export interface CreateOrderInput {
  langChosen?: string | null | undefined;
  ticketGroupId: string;
  custId?: string | null | undefined;
  buyerName: string;
  buyerEmail: string;
  admitDate: string;
  productDesc?: string | null | undefined;
  mode?: string | null | undefined;
  items: readonly WantedItem[];
}

export interface ReadOrderInput {
  ticketGroupId: string;
  /** Null for a guest who orders without one. */
  custId: Id | null;
  langChosen: 'bm' | 'en' | 'cn';
  /** As the client wrote it. */
  langSent: string | null;
  /** The payer that the client chose; null for none. */
  msgToken: '01' | '02' | null;
  buyerName: string;
  buyerEmail: string;
  admitDate: string;
  productDesc: string;
  items: readonly WantedItem[];
}

/** The expected maximum length of a language tag (RFC 5646, section 4.4.1). */
const LONGEST_LANGUAGE = 35;

/** Control characters, which names and e-mail headers may not hold, and lone surrogates, which databases reject. */
const controls = /[\p{Cc}\p{Cs}]/u;

const Named = z.object({
  langChosen: z
    .string()
    .max(LONGEST_LANGUAGE, `must have at most ${LONGEST_LANGUAGE} characters`)
    .refine((text) => !controls.test(text), 'must not hold control characters')
    .nullable(),
  buyerName: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(120, 'is too long')
    .refine((text) => !controls.test(text), 'must not hold control characters'),
  buyerEmail: z.string().trim().pipe(emailAddress),
  custId: uuidText('must be the id of a customer').nullable(),
  productDesc: z
    .string()
    .trim()
    .max(140, 'is too long')
    .refine((text) => !controls.test(text), 'must not hold control characters'),
});

/**
 * Validates the input of an order, except what the catalogue decides.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function readOrderInput(input: CreateOrderInput, viewer: Viewer | null): ReadOrderInput {
  const custId = input.custId?.trim() || (viewer?.kind === 'customer' ? viewer.custId : null);
  const errors: InputError[] = [];
  const langSent = input.langChosen?.trim() || null;
  const mode = input.mode?.trim() || null;
  const msgToken = mode ? modeOf(mode) : null;
  if (mode && !msgToken) errors.push({ path: 'mode', message: 'must be individual or corporate' });
  const named = Named.safeParse({ ...input, custId, langChosen: langSent, productDesc: input.productDesc ?? '' });
  if (!named.success) {
    errors.push(...named.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  if (errors.length > 0 || !named.success) throw badInput(errors);
  const { ticketGroupId, admitDate, items } = input;
  const langChosen = languageOf(langSent) ?? 'en'; // tickets are not printed in other languages
  return { ...named.data, ticketGroupId, admitDate, items, langChosen, langSent, msgToken };
}
