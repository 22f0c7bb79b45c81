/** The parts of a JSON Schema that a page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const NAMED = '#/components/schemas/';

/** Puts named schemas in the place of the references to them, except of `Error`, which all routes share. */
export function withoutReferences<Part>(part: Part, named: Readonly<Record<string, Schema>>): Part {
  if (typeof part !== 'object' || part === null) return part;
  const name = '$ref' in part && typeof part.$ref === 'string' ? part.$ref.replace(NAMED, '') : 'Error';
  const found = name === 'Error' ? undefined : named[name];
  if (found) return withoutReferences(found, named) as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => withoutReferences(each, named)) as Part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutReferences(value, named)])) as Part;
}

/** Writes a JSON Schema in the syntax of TypeScript, with limits as comments. */
export function schemaText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map((each) => schemaText(each, indent)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'object') return objectText(schema, indent);
    return type === 'array' ? listText(schema.items ?? {}, indent) : type;
  });
  return types.join(' | ') || 'anything';
}

function objectText({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties ?? {}).map(([name, schema]) => {
    const limits = limitsOf(schema);
    const optional = required.includes(name) ? '' : '?';
    return `${inner}${name}${optional}: ${schemaText(schema, inner)}${limits && `  // ${limits}`}`;
  });
  if (lines.length > 0) return `{\n${lines.join('\n')}\n${indent}}`;
  return typeof additionalProperties === 'object'
    ? `{ [name]: ${schemaText(additionalProperties, indent)} }`
    : 'object';
}

function listText(items: Schema, indent: string): string {
  const each = schemaText(items, indent);
  return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`;
}

/** The limits of a value besides its type. */
export function limitsOf({ format, minLength, maxLength, minimum, maximum, default: preset }: Schema): string {
  return [
    format,
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum),
    preset !== undefined && `${JSON.stringify(preset)} when not given`,
  ]
    .filter(Boolean)
    .join(', ');
}

function range(least = -Infinity, most = Infinity, what = ''): string {
  const bounded = most < Number.MAX_SAFE_INTEGER;
  if (least <= Number.MIN_SAFE_INTEGER) return bounded ? `at most ${most}${what}` : '';
  return bounded ? `${least} to ${most}${what}` : `at least ${least}${what}`;
}
