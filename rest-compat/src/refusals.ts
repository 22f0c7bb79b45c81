import { Refusal } from '@foyer/shared/errors';

/** For a null in GraphQL, which REST answers with 404: the object is missing, or the viewer may not see it. */
const notFound = (what: string) =>
  new Refusal('NOT_FOUND', `${what.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`, `There is no such ${what}.`);

/**
 * Returns the value that an operation found.
 *
 * @throws {Refusal} `<WHAT>_NOT_FOUND` when it is null
 */
export function present<Found>(found: Found | null | undefined, what: string): Found {
  if (found === null || found === undefined) throw notFound(what);
  return found;
}

export const notUtf8 = () => new Refusal('BAD_USER_INPUT', 'BAD_REQUEST', 'The body is not UTF-8, which JSON must be.');

export const browserRefused = () =>
  new Refusal('FORBIDDEN', 'BROWSER_REFUSED', 'This route is for services; no page may call it.');

export const internalUnavailable = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'INTERNAL_UNAVAILABLE', 'No secret for calls between services is configured.');

export const internalTokenInvalid = () =>
  new Refusal('UNAUTHENTICATED', 'INTERNAL_TOKEN_INVALID', 'X-Internal-Token is missing or wrong.');

export const notImplemented = () =>
  new Refusal('NOT_IMPLEMENTED', 'NOT_IMPLEMENTED', 'This route exists in name only, as documented.');

export const listTooLong = (atMost: number) =>
  new Refusal(
    'BAD_USER_INPUT',
    'LIST_TOO_LONG',
    `There are more than ${atMost.toLocaleString('en')}: ask for them in pages, with page and limit.`,
  );
