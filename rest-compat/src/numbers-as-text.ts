import { z } from 'zod';

import { core } from './blank-fields.ts';

type Schema = z.core.$ZodType;

/** As JSON spells them, in one way: no signs, zeros, spaces or exponents that a number does not need. */
const wholeNumber = /^(0|-?[1-9]\d{0,15})$/;
const decimalNumber = /^(0|-?[1-9]\d{0,15}|-?(0|[1-9]\d{0,15})\.\d{1,15})$/;

/**
 * What was sent, with a number wherever its decimal text was sent for one: older clients send what was typed into their
 * forms. Ids have a rule of their own (`documentedId`).
 */
export function withNumbers(schema: Schema, sent: unknown): unknown {
  const { def, is } = core(schema);
  if (def.type === 'object' && typeof sent === 'object' && sent !== null && !Array.isArray(sent)) {
    const { shape } = def as z.core.$ZodObjectDef;
    const read = Object.entries(sent).map(([name, value]): [string, unknown] => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field ? withNumbers(field, value) : value];
    });
    return Object.fromEntries(read);
  }
  if (def.type === 'array' && Array.isArray(sent)) {
    const { element } = def as z.core.$ZodArrayDef;
    return sent.map((each) => withNumbers(element, each));
  }
  if (def.type !== 'number' || typeof sent !== 'string') return sent;
  const spelling = is instanceof z.ZodNumber && is.isInt ? wholeNumber : decimalNumber;
  return spelling.test(sent) ? Number(sent) : sent;
}
