import type { InputError } from '../errors.ts';
import type { GraphQLError } from 'graphql';

/** What graphql-js says of a value, and how a person says it; goes on after the name of what it is about. */
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

/** Ours are sentences of their own, as of a scalar that knows what it takes. */
const inWords = (message: string) => words.find(([pattern]) => pattern.test(message))?.[1] ?? message;

/**
 * What is wrong with a variable, or with a value that is written out, and where, without the names of types. What is in
 * `input` is named as in the refusals of use cases, by its own name.
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

/** graphql-jit says what graphql-js says, but does not say what it is made of. */
const lastPart = (message: string) => message.split('; ').at(-1) ?? message;
