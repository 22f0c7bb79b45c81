import { z } from 'zod';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  format?: string;
  [keyword: string]: unknown;
}

/** Returns the JSON Schema of what a route reads. */
export const schemaOfInput = (input: z.ZodType) =>
  z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema),
  }) as JsonSchema;

/** Describes a documented id as the whole number that the documents show, and leaves out bounds that only the language has. */
function simplify(schema: JsonSchema): void {
  const [whole, digits] = schema.anyOf ?? [];
  if (schema.anyOf?.length === 2 && whole?.type === 'integer' && isDigits(digits)) {
    delete schema.anyOf;
    Object.assign(schema, { type: 'integer', format: 'int64', minimum: 0 });
  }
  if (schema.type !== 'integer') return;
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

const isDigits = (schema: JsonSchema | undefined): boolean =>
  schema?.type === 'string' &&
  typeof schema['pattern'] === 'string' &&
  schema['pattern'].startsWith(String.raw`^\d{1,`);

/** Returns the JSON Schema of what a route answers. */
export function schemaOfAnswer(answer: z.ZodType): JsonSchema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(answer, {
    io: 'input', // the output has `additionalProperties: false`, but answers may grow
    override: ({ jsonSchema }) => shorten(jsonSchema as JsonSchema),
  });
  return schema as JsonSchema;
}

/** Leaves out what only tells how to check a value, and writes a nullable value as one schema with two types. */
function shorten(schema: JsonSchema): void {
  if (schema.format) delete schema['pattern'];
  if (schema.type === 'integer') {
    delete schema['minimum'];
    delete schema['maximum'];
  }
  const [value, other] = schema.anyOf ?? [];
  if (typeof value?.type !== 'string' || other?.type !== 'null') return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, 'null'] }, value.enum && { enum: [...value.enum, null] });
}
