import type { z } from 'zod';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & { in?: Schema; out?: Schema; innerType?: Schema };

/**
 * Lists the variables that a config schema reads, in its order.
 *
 * @returns name and default as the variable would be written; an empty text where there is no default
 */
export const variablesOf = (schema: Schema): (readonly [name: string, value: string])[] =>
  Object.entries(shapeOf(schema)).map(([name, field]) => [name, textOf(defaultOf(field))]);

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  const def = schema._zod.def as Def;
  if (def.type === 'object') return (def as z.core.$ZodObjectDef).shape;
  const inner = innerOf(def);
  return inner ? shapeOf(inner) : {};
}

function defaultOf(schema: Schema): unknown {
  const def = schema._zod.def as Def;
  if (def.type === 'default') return (def as z.core.$ZodDefaultDef).defaultValue;
  const inner = innerOf(def);
  return inner && defaultOf(inner);
}

/** The schema inside a wrapper; for a pipe that begins with a function (`z.preprocess`), the schema after it. */
const innerOf = (def: Def): Schema | undefined =>
  def.innerType ?? (def.in?._zod.def.type === 'transform' ? def.out : def.in);

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
