import type { InputError } from '../errors.ts';
import type { GraphQLError } from 'graphql';

/** graphql-js's messages about values, and ours; they continue a sentence that begins with the name of the variable. */
const words: readonly (readonly [RegExp, string])[] = [
  [/of required type ".+" was not provided\.$/, 'is missing'],
  [/must not be null\.$|not to be null\.$|must be non-null\.$/, 'must not be null'],
  [/^Field ".+" is not defined by type /, 'is not known here'],
  [/to be an object\.$|^JSONObject cannot/, 'must be an object'],
  [/^Exactly one key must be specified/, 'must have one field, and not more'],
  [/ enum\b|^Enum /, 'is none of the values that it may have'],
  [/^String cannot represent/, 'must be text'],
  [/^Int cannot represent non 32-bit/, 'must be between -2147483648 and 2147483647'],
  [/^Int cannot represent/, 'must be a whole number'],
  [/^Float cannot represent/, 'must be a number'],
  [/^Boolean cannot represent/, 'must be true or false'],
  [/^ID cannot represent/, 'must be an id'],
  [/^Value is not |\b(?:Local)?Date\b/, 'must be a date such as 2026-11-22'],
  [/\bDateTime(?:ISO)?\b/, 'must be a time such as 2026-11-22T10:00:00Z'],
  [/cannot represent|Expected (?:type|value) |is not a valid|Too many errors/, 'is not valid'],
];

/** Messages of our own scalars are kept. */
const inWords = (message: string) => words.find(([pattern]) => pattern.test(message))?.[1] ?? message;

/**
 * Describes an invalid variable or literal, and where it is, without names of types. Fields of `input` are named without
 * `input.`, as in the refusals of use cases.
 */
export function wrongVariable({ message, originalError }: GraphQLError): InputError {
  const [, variable = ''] = /^Variable "\$(\w+)"/.exec(message) ?? [];
  const said = originalError && message.endsWith(originalError.message) ? originalError.message : lastPart(message);
  const before = message.slice(0, -`; ${said}`.length);
  const [, at = variable] = / at "([\w.[\]]+)"$/.exec(before) ?? [];
  const [, field] = /^Field "(\w+)" (?:of required|is not defined)/.exec(said) ?? [];
  const path = `${at.replaceAll(/\[(\d+)\]/g, '.$1')}${field === undefined ? '' : `.${field}`}`;
  return { path: path.replace(/^input\./, ''), message: inWords(said) };
}

/** graphql-jit has graphql-js's messages, but not the original error. */
const lastPart = (message: string) => message.split('; ').at(-1) ?? message;
