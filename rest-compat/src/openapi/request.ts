import type { DocumentedRow } from '../route.ts';
import { bodyExamples, parameterHelp } from './examples.ts';
import { dereferenced, schemaOf, type JsonSchema, type Schemas } from './json-schema.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
  description?: string;
  example?: unknown;
}

/** Headers that OpenAPI describes as security schemes and response types instead. */
const notParameters = new Set(['cookie', 'accept']);

interface Options {
  takesForm: boolean;
  /** Collects the named schemas. */
  named: Schemas;
}

/** Returns the parameters and the body of a route from its input schema. */
export function requestOf({ input }: DocumentedRow, route: string, { takesForm, named }: Options) {
  const { properties = {} } = schemaOf(input, named);
  const parameters = [
    ...parametersIn('path', properties['params'], route),
    ...parametersIn('query', properties['query'], route),
    ...parametersIn('header', properties['headers'], route),
  ];
  const body = properties['body'];
  const example = bodyExamples[route];
  const media = body && { schema: body, ...(example !== undefined && { example }) };
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(media && {
      requestBody: {
        required: (dereferenced(body, named).required?.length ?? 0) > 0,
        content: { [takesForm ? 'application/x-www-form-urlencoded' : 'application/json']: media },
      },
    }),
  };
}

function parametersIn(place: Parameter['in'], schema: JsonSchema | undefined, route: string): Parameter[] {
  const inPath = new Set([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => (place === 'path' ? inPath.has(name) : !notParameters.has(name)))
    .map(([name, of]) => ({
      name,
      in: place,
      required: place === 'path' || (schema?.required?.includes(name) ?? false),
      schema: of,
      ...helpFor(of, parameterHelp(route, name)),
    }));
}

/** An id of the demo data is a number where the route reads numbers. */
const helpFor = ({ type }: JsonSchema, help: ReturnType<typeof parameterHelp>) =>
  type === 'integer' && help.example !== undefined ? { ...help, example: Number(help.example) } : help;
