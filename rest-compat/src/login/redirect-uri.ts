/**
 * Returns where to go after a login: `redirect_uri`, if it has an allowed origin, else undefined.
 * A path stays a path: the visitor may be at another address of this server than PUBLIC_URL, with cookies of that one.
 * (Spec 1, flow 5; RFC 9700 section 4.11: no open redirects.)
 *
 * @param origins the allowed ones, such as `https://console.example`; the first is our own
 */
export function allowedRedirect(given: unknown, origins: readonly string[]): string | undefined {
  const [own] = origins;
  if (typeof given !== 'string' || given.length > 2_000 || !URL.canParse(given, own)) return undefined;
  const url = new URL(given, own);
  const plain = url.username === '' && url.password === '' && /^https?:$/.test(url.protocol); // a blob: has an origin, too
  if (!plain || !origins.includes(url.origin)) return undefined;
  const path = url.pathname + url.search + url.hash;
  // A path that begins with two slashes would be a host.
  return given.startsWith('/') && url.origin === own && !path.startsWith('//') ? path : url.href;
}
