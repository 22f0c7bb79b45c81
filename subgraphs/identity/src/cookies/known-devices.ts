import { createHash, hkdfSync, randomUUID } from 'node:crypto';

import type { Clock } from '@foyer/shared/clock';
import type { SetCookie } from '@foyer/shared/http/request';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

import { cookie, type CookieRules } from './cookie.ts';

/**
 * Devices on which somebody has logged in before, recognized by a cookie (OWASP, "Slow Down Online Guessing Attacks
 * with Device Cookies"). The cookie grants nothing: it only keeps the failures of others from counting against its
 * device.
 */
export interface KnownDevices {
  /** @returns the id of the device; null when the cookie is not ours, or this subject has not logged in with it */
  recognize(deviceCookie: string | undefined, subject: string): Promise<string | null>;
  /**
   * Makes the cookie for a device on which this subject has just logged in; it keeps the subjects of the previous
   * cookie.
   */
  remember(deviceCookie: string | undefined, subject: string): Promise<SetCookie>;
}

/** Keeps our other tokens from passing for a device cookie (RFC 8725, 3.11). */
const TYPE = 'device+jwt';
const LIFE_SECONDS = 365 * 86_400;
/** Enough for people who share a device, and for the ways to spell their names. */
const MOST_SUBJECTS = 4;
const HASH_CHARACTERS = 22;

const Claims = z.object({ jti: z.string(), subjects: z.array(z.string()) });

interface Needs {
  /** Any secret of identity; the key is derived from it. */
  secret: string;
  cookieRules: CookieRules;
  clock: Clock;
}

export function openKnownDevices({ secret, cookieRules, clock }: Needs): KnownDevices {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'foyer known devices', 32));

  async function read(token: string | undefined) {
    if (!token) return null;
    const options = { algorithms: ['HS256'], typ: TYPE, currentDate: clock.now(), requiredClaims: ['exp'] };
    const verified = await jwtVerify(token, key, options).catch(() => null);
    return verified && (Claims.safeParse(verified.payload).data ?? null);
  }

  return {
    async recognize(token, subject) {
      const device = await read(token);
      return device?.subjects.includes(hashOf(subject)) ? device.jti : null;
    },
    async remember(token, subject) {
      const before = await read(token);
      const subjects = [...new Set([hashOf(subject), ...(before?.subjects ?? [])])].slice(0, MOST_SUBJECTS);
      const now = Math.floor(clock.now().getTime() / 1_000);
      const value = await new SignJWT({ subjects })
        .setProtectedHeader({ alg: 'HS256', typ: TYPE })
        .setJti(before?.jti ?? randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + LIFE_SECONDS)
        .sign(key);
      return cookie(cookieRules, { name: 'device', path: '/', value, maxAgeSeconds: LIFE_SECONDS });
    },
  };
}

/** The cookie does not reveal who logged in. */
const hashOf = (subject: string) => createHash('sha256').update(subject).digest('base64url').slice(0, HASH_CHARACTERS);
