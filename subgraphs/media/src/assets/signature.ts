import { createHmac, timingSafeEqual } from 'node:crypto';

import { encodeKey } from '../storage/asset-links.ts';
import type { LinkSecrets } from '../storage/link-token.ts';

const signatureOf = (key: string, expires: number, secret: string) =>
  createHmac('sha256', secret).update(`asset\n${key}\n${expires}`).digest('base64url');

/**
 * Returns a URL of this server under which an object may be read for a limited time.
 *
 * @param seconds how long it is valid, from `now` on
 */
export function signedUrl(
  base: string,
  key: string,
  { seconds, now, secret }: { seconds: number; now: Date; secret: string },
): URL {
  const expires = Math.floor(now.getTime() / 1000) + seconds;
  const url = new URL(`${base}/assets/${encodeKey(key)}`);
  url.searchParams.set('expires', String(expires));
  url.searchParams.set('signature', signatureOf(key, expires, secret));
  return url;
}

/** Returns whether a URL was signed by us for this key and has not expired. */
export function isSigned(
  key: string,
  query: { expires?: string; signature?: string },
  { now, secrets }: { now: Date; secrets: LinkSecrets },
): boolean {
  const expires = Number(query.expires);
  if (!Number.isSafeInteger(expires) || expires * 1000 < now.getTime()) return false;
  const given = Buffer.from(query.signature ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(key, expires, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
