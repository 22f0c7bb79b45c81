import { z } from 'zod';

import { core, isObject } from './blank-fields.ts';

type Schema = z.core.$ZodType;

/** The one JSON spelling of a number, without needless signs, zeros, spaces or exponents. */
const wholeNumber = /^(0|-?[1-9]\d{0,15})$/;
const decimalNumber = /^(0|-?[1-9]\d{0,15}|-?(0|[1-9]\d{0,15})\.\d{1,15})$/;

/**
 * Returns the input with decimal texts converted to numbers where the schema has a number: older clients send the text of
 * their form fields. Ids have a rule of their own (`documentedId`).
 */
export function withNumbers(schema: Schema, sent: unknown): unknown {
  const { def, is } = core(schema);
  if (def.type === 'object' && isObject(sent)) {
    const { shape } = def as z.core.$ZodObjectDef;
    let read = sent; // copied when a field changes
    for (const name in shape) {
      const field = shape[name];
      if (!field || !Object.hasOwn(sent, name)) continue;
      const is = withNumbers(field, sent[name]);
      if (is === sent[name]) continue;
      if (read === sent) read = { ...sent };
      read[name] = is;
    }
    return read;
  }
  if (def.type === 'array' && Array.isArray(sent)) {
    const { element } = def as z.core.$ZodArrayDef;
    return sent.map((each) => withNumbers(element, each));
  }
  if (def.type !== 'number' || typeof sent !== 'string') return sent;
  const spelling = is instanceof z.ZodNumber && is.isInt ? wholeNumber : decimalNumber;
  return spelling.test(sent) ? Number(sent) : sent;
}
