import { z } from 'zod';

type Schema = z.core.$ZodType;
type Fields = Record<string, unknown>;

/** Whether a request creates something or updates it. */
type Purpose = 'new' | 'update';

/** Optional fields that refuse a blank. */
const refused = new WeakSet<Schema>();

/**
 * Marks an optional field in which a blank is refused instead of being ignored, because a request without the field does
 * more than one with it, which a mistake must not cause.
 */
export function blankRefused<Field extends Schema>(field: Field): Field {
  refused.add(field);
  return field;
}

/**
 * Returns the input without its blank optional fields: to older clients null, a blank text and a missing field mean the
 * same (docs/decisions/0055). In an update, null and blank clear a nullable field, and an empty text clears a free text.
 */
export function withoutBlanks(schema: Schema, sent: unknown, purpose: Purpose): unknown {
  const { def } = core(schema);
  if (def.type === 'object' && isObject(sent)) {
    const { shape } = def as z.core.$ZodObjectDef;
    let kept = sent; // copied when a field changes
    for (const name in shape) {
      const field = shape[name];
      if (!field || !Object.hasOwn(sent, name)) continue;
      const is = fieldOf(field, sent[name], purpose);
      if (is === sent[name]) continue;
      if (kept === sent) kept = { ...sent };
      if (is === undefined) delete kept[name];
      else kept[name] = is;
    }
    return kept;
  }
  if (def.type === 'array' && Array.isArray(sent)) {
    const { element } = def as z.core.$ZodArrayDef;
    return sent.map((each) => withoutBlanks(element, each, purpose));
  }
  return sent;
}

function fieldOf(field: Schema, value: unknown, purpose: Purpose): unknown {
  const isBlank = typeof value === 'string' && value.trim() === '';
  if (value !== null && !isBlank) return withoutBlanks(field, value, purpose);
  if (field._zod.optin === undefined) return value; // the field is required
  if (refused.has(field)) return value;
  if (purpose === 'new') return undefined;
  const { def, nullable } = core(field);
  if (nullable) return null;
  return value === '' && def.type === 'string' && z.safeParse(field, '').success ? value : undefined;
}

/** Returns the schema inside `optional`, `nullable` and defaults. */
export function core(schema: Schema): { is: Schema; def: z.core.$ZodTypeDef; nullable: boolean } {
  let nullable = false;
  let is = schema;
  while ('innerType' in is._zod.def) {
    nullable ||= is._zod.def.type === 'nullable';
    is = is._zod.def.innerType as Schema;
  }
  return { is, def: is._zod.def, nullable };
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
