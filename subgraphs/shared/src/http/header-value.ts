declare const legal: unique symbol;

/** A valid value of an HTTP header: undici and ws accept it, and it contains no line break. */
export type HeaderValue = string & { readonly [legal]: true };

/** Everything but tab, space, visible ASCII and Latin-1 (RFC 9110, section 5.5), as in Node's own check. */
const ILLEGAL = /[^\t\x20-\x7e\x80-\xff]/;

/** Returns undefined for text that no header may hold. */
export const headerValue = (text: string): HeaderValue | undefined =>
  ILLEGAL.test(text) ? undefined : (text as HeaderValue);

/**
 * The header value of text that we made ourselves, such as a signature.
 *
 * @throws {TypeError} when no header may hold it, which is a bug
 */
export function ownHeaderValue(text: string): HeaderValue {
  const value = headerValue(text);
  if (value === undefined) throw new TypeError('This may not stand in a header.');
  return value;
}
