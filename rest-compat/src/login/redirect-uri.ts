/**
 * Where to go after a sign-in: `redirect_uri` as asked, if it leads to an allowed origin, else nothing.
 * A path alone leads to our own. (Spec 1, flow 5; RFC 9700 section 4.11: no open redirects.)
 *
 * @param origins the allowed ones, such as `https://console.example`; the first is our own
 */
export function allowedRedirect(asked: unknown, origins: readonly string[]): string | undefined {
  const [own] = origins;
  if (typeof asked !== 'string' || asked.length > 2_000 || !URL.canParse(asked, own)) return undefined;
  const url = new URL(asked, own);
  const plain = url.username === '' && url.password === '';
  return plain && origins.includes(url.origin) ? url.href : undefined;
}
