/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  format?: string;
  [keyword: string]: unknown;
}

/** A character that no text of ours contains: it marks a string that may have any value. */
const ANY_TEXT = '§';
const ID = '7';
const MOMENT = '2030-01-01T00:00:00.000Z';
const DAY = '2030-01-01';
const ANY_OBJECT = { [ANY_TEXT]: true };

const scalars: Record<string, unknown> = {
  ID,
  Int: 7,
  Float: 1.5,
  Boolean: true,
  DateTime: MOMENT,
  Date: DAY,
  JSON: ANY_OBJECT,
};

/** Returns a sample of a GraphQL scalar that `schemaOf` recognizes. */
export const sampleOf = (scalar: string): unknown => scalars[scalar] ?? ANY_TEXT;

/** Derives the schema of a JSON value made of samples. */
export function schemaOf(value: unknown): JsonSchema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    const [first, ...rest] = value.map(schemaOf);
    return { type: 'array', ...(first && { items: rest.reduce(mergeSchemas, first) }) };
  }
  if (typeof value === 'string') return { type: 'string', ...kindOfText(value) };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (ANY_TEXT in (value as object)) return { type: 'object', additionalProperties: true };
  const properties = Object.entries(value as object).map(([name, inner]) => [name, schemaOf(inner)] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

function kindOfText(text: string): JsonSchema {
  if (text === MOMENT) return { format: 'date-time' };
  if (text === DAY) return { format: 'date' };
  return text === ID || text.includes(ANY_TEXT) ? {} : { enum: [text] };
}

/** Returns the schema of either alternative. */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  const types = [...new Set([one.type ?? [], other.type ?? []].flat())];
  const texts = [one, other].filter(({ type }) => [type].flat().includes('string'));
  const closed = texts.length > 0 && texts.every((text) => text.enum);
  const values = [...new Set(texts.flatMap((text) => text.enum ?? []))];
  const items = both(one.items, other.items);
  const format = texts.every((text) => text.format === texts[0]?.format) ? texts[0]?.format : undefined;
  return {
    type: types.length === 1 ? (types[0] ?? '') : types,
    ...(format && { format }),
    ...(closed && { enum: types.includes('null') ? [...values.filter((value) => value !== null), null] : values }),
    ...(items && { items }),
    ...mergeObjects(one, other),
  };
}

const both = (one: JsonSchema | undefined, other: JsonSchema | undefined) =>
  one && other ? mergeSchemas(one, other) : (one ?? other);

function mergeObjects(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (!one.properties || !other.properties) {
    const { properties, required, additionalProperties } = one.properties || one['additionalProperties'] ? one : other;
    return {
      ...(properties && { properties }),
      ...(required && { required }),
      ...(additionalProperties === true && { additionalProperties }),
    };
  }
  const names = [...new Set([...Object.keys(one.properties), ...Object.keys(other.properties)])];
  const properties = names.map((name) => [name, both(one.properties?.[name], other.properties?.[name])]);
  return {
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    required: (one.required ?? []).filter((name) => other.required?.includes(name)),
  };
}
