import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from a page of a site that is not ours. A cookie travels by itself, so
 * what changes something on the strength of one must not come from there.
 *
 * Browsers say where a page is from, in `Origin` or `Sec-Fetch-Site`, and a page can't change it;
 * a client that sends neither is no browser, and nobody else's page is behind it.
 *
 * @param allowed origins that may act for the user besides our own, such as `https://shop.example`
 */
export function isForeign(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: readonly string[],
): boolean {
  if (origin === undefined) return site !== undefined && site !== 'same-origin' && site !== 'none';
  if (allowed.includes(origin)) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
