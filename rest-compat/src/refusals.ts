import { Refusal } from '@foyer/shared/errors';

/** What GraphQL answers with null, REST answers with 404: missing, or not for this viewer. */
const notFound = (what: string) =>
  new Refusal('NOT_FOUND', `${what.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`, `There is no such ${what}.`);

/**
 * What the answer to an operation holds.
 *
 * @throws {Refusal} `<WHAT>_NOT_FOUND` when it is null
 */
export function present<Found>(found: Found | null | undefined, what: string): Found {
  if (found === null || found === undefined) throw notFound(what);
  return found;
}
