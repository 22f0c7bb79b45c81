import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How far the timestamp of a signature may differ from our clock. */
const TOLERANCE_SECONDS = 300;

export interface HookHeaders {
  authorization?: string | undefined;
  'x-hook-signature'?: string | undefined;
  'x-hook-timestamp'?: string | undefined;
}

/**
 * Returns whether a hook comes from one of our upload servers: it sends the shared secret as the password of HTTP Basic
 * (as for a URL like http://tusd:SECRET@host/hooks/tusd), or it signs `<timestamp>.<raw body>` with HMAC-SHA256, in hex.
 */
export function isOurHook(headers: HookHeaders, raw: Buffer, { secret, now }: { secret: string; now: Date }): boolean {
  const [scheme, encoded] = headers.authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'basic' && encoded) {
    const [, ...password] = Buffer.from(encoded, 'base64').toString().split(':');
    return same(password.join(':'), secret);
  }
  const { 'x-hook-signature': signature, 'x-hook-timestamp': timestamp } = headers;
  if (!signature || !timestamp) return false;
  if (!(Math.abs(Number(timestamp) - now.getTime() / 1000) <= TOLERANCE_SECONDS)) return false;
  return same(signature.replace(/^sha256=/, ''), signatureOf(raw, timestamp, secret));
}

export const signatureOf = (raw: Buffer, timestamp: string, secret: string) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex');

/** Compares in constant time, also for different lengths. */
function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
