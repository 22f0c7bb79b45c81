import { bodyExamples, parameterHelp } from '../openapi/examples.ts';
import { schemaOfInput, type JsonSchema } from '../openapi/json-schema.ts';
import { pathOf } from '../openapi/operation.ts';
import { readInput, type DocumentedRow, type Route } from '../route.ts';
import { routes } from '../routes.ts';

type Fields = Record<string, unknown>;
type Place = 'query' | 'headers' | 'body';

/** An input field of a route, as its OpenAPI document lists it. */
export interface SentField {
  key: string;
  method: string;
  row: DocumentedRow;
  place: Place;
  steps: (string | number)[];
  of: JsonSchema;
  isOptional: boolean;
}

const SOME_UUID = '0a0c0000-0000-4000-8000-0000000000ee';
const keyOf = ({ method, url }: Route) => `${String(method)} ${pathOf(url)}`;

/** Values for all parameters in the path and all required ones. */
function example(key: string, schema: JsonSchema | undefined): Fields {
  const needed = Object.entries(schema?.properties ?? {}).filter(([name]) => schema?.required?.includes(name));
  return Object.fromEntries(
    needed.map(([name, of]) => [name, parameterHelp(key, name).example ?? madeUp(name, of)] as const),
  );
}

function madeUp(name: string, of: JsonSchema): unknown {
  if (name === 'email') return 'somebody@example.test';
  return of.format === 'uuid' || 'pattern' in of ? SOME_UUID : '1';
}

const request = (key: string, { properties = {} }: JsonSchema) => ({
  params: example(key, properties['params']),
  query: example(key, properties['query']),
  headers: example(key, properties['headers']),
  body: bodyExamples[key] ?? {},
});

function fieldsIn(
  schema: JsonSchema | undefined,
  sent: unknown,
  steps: SentField['steps'] = [],
): Pick<SentField, 'steps' | 'of' | 'isOptional'>[] {
  if (schema?.items && Array.isArray(sent)) return fieldsIn(schema.items, sent[0], [...steps, 0]);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, of]) => {
    const here = [...steps, name];
    const inside = fieldsIn(of, (sent as Fields | undefined)?.[name], here);
    return [{ steps: here, of, isOptional: !schema?.required?.includes(name) }, ...inside];
  });
}

/** Returns all input fields of all routes, with the documents' example where there is one. */
export const sentFields: readonly SentField[] = routes.flatMap((route) => {
  const { row } = route;
  if (!row) return [];
  const [key, schema] = [keyOf(route), schemaOfInput(row.input)];
  const sent = request(key, schema);
  return (['query', 'headers', 'body'] as const).flatMap((place) =>
    fieldsIn(schema.properties?.[place], sent[place])
      .filter(({ of }) => place === 'body' || of.type !== 'object')
      .map((field) => ({ key, method: String(route.method), row, place, ...field })),
  );
});

/** Returns the input that the route reads with this value in the field, or its refusal; `undefined` omits the field. */
export function reads({ key, method, row, place, steps }: SentField, value: unknown): unknown {
  const sent = structuredClone(request(key, schemaOfInput(row.input)));
  let at = sent[place] as Fields;
  for (const step of steps.slice(0, -1)) at = (at[step] ??= {}) as Fields;
  const last = steps.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  try {
    return readInput(row.input, method, sent);
  } catch (error) {
    return error;
  }
}

/** Such as `POST /channels: body.origins.0.streamerId`. */
export const named = ({ key, place, steps }: SentField) => `${key}: ${place}.${steps.join('.')}`;
