import { z } from 'zod';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  format?: string;
  [keyword: string]: unknown;
}

/** The named schemas of an OpenAPI document. */
export type Schemas = Map<string, JsonSchema>;

const options = {
  io: 'input', // the output has `additionalProperties: false`, but answers may grow
  unrepresentable: 'any',
  override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema),
} satisfies z.core.ToJSONSchemaParams;

/** Returns the JSON Schema of what a route reads, in one piece. */
export const schemaOfInput = (input: z.ZodType) =>
  z.toJSONSchema(input, { ...options, metadata: z.registry() }) as JsonSchema;

/**
 * Returns the JSON Schema of what a route reads or answers. What has a name (`meta({ id })`) is added to the named
 * schemas, and referred to.
 * @throws {Error} if two different shapes have one name
 */
export function schemaOf(type: z.ZodType, named: Schemas): JsonSchema {
  const whole = z.toJSONSchema(z.object({ type }), options); // in another one, because a root is never referred to
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { properties, $defs = {} } = JSON.parse(text) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, schema] of Object.entries($defs)) {
    if (JSON.stringify(named.get(name) ?? schema) !== JSON.stringify(schema))
      throw new Error(`two different schemas have the name ${name}`);
    named.set(name, schema);
  }
  return properties?.['type'] ?? {};
}

/** Returns the schema that another one may only refer to. */
export const dereferenced = (schema: JsonSchema, named: Schemas): JsonSchema =>
  named.get(schema.$ref?.split('/').at(-1) ?? '') ?? schema;

/** Describes a value as the documents do, and leaves out what only tells how to check it. */
function simplify(schema: JsonSchema): void {
  const [value, other] = schema.anyOf ?? [];
  if (schema.anyOf?.length === 2 && value?.type === 'integer' && isDigits(other)) {
    delete schema.anyOf; // a documented id
    Object.assign(schema, { type: 'integer', format: 'int64', minimum: 0 });
  }
  if (typeof value?.type === 'string' && other?.type === 'null' && !value.properties) {
    delete schema.anyOf;
    Object.assign(schema, value, { type: [value.type, 'null'] }, value.enum && { enum: [...value.enum, null] });
  }
  if (schema.format) delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

const isDigits = (schema: JsonSchema | undefined): boolean =>
  schema?.type === 'string' &&
  typeof schema['pattern'] === 'string' &&
  schema['pattern'].startsWith(String.raw`^\d{1,`);
