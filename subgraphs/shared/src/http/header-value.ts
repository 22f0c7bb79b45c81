declare const legal: unique symbol;

/** A text that may stand in an HTTP header: undici and ws take it, and it ends no line of a head. */
export type HeaderValue = string & { readonly [legal]: true };

/** All but tab, visible ASCII, space and Latin-1 (RFC 9110, section 5.5): what Node's own HTTP refuses too. */
const ILLEGAL = /[^\t\x20-\x7e\x80-\xff]/;

/** Undefined for what may not stand in a header. */
export const headerValue = (text: string): HeaderValue | undefined =>
  ILLEGAL.test(text) ? undefined : (text as HeaderValue);

/**
 * For what we have made ourselves, such as a signature.
 *
 * @throws {TypeError} when it may not stand in a header: a bug of ours
 */
export function ownHeaderValue(text: string): HeaderValue {
  const value = headerValue(text);
  if (value === undefined) throw new TypeError('This may not stand in a header.');
  return value;
}
