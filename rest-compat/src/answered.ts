/** A root field was null without an error. */
export class Unanswered extends Error {}

/**
 * Returns the value of a root field that is null only beside an error (docs/decisions/0063).
 *
 * Such an error is thrown before a reply is made; a null here is a bug.
 *
 * @throws {Unanswered} when it is null
 */
export function answered<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Unanswered('a root field is null, and no error says why');
  return value;
}
