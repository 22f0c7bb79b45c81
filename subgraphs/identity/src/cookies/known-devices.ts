import { createHash, hkdfSync, randomUUID } from 'node:crypto';

import type { Clock } from '@foyer/shared/clock';
import type { SetCookie } from '@foyer/shared/http/request';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

import { cookie, type CookieRules } from './cookie.ts';

/**
 * Devices that have signed somebody in before, told by a cookie (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). The cookie opens nothing: it only keeps the failures of others from counting against its device.
 */
export interface KnownDevices {
  /** @returns the id of the device; null when the cookie is not ours, or nobody of this subject has signed in with it */
  recognize(deviceCookie: string | undefined, subject: string): Promise<string | null>;
  /** The cookie for a device on which this subject has just signed in, beside those whom the cookie of before names. */
  remember(deviceCookie: string | undefined, subject: string): Promise<SetCookie>;
}

/** So that no other token of ours passes for a device's (RFC 8725, 3.11). */
const TYPE = 'device+jwt';
const LIFE_SECONDS = 365 * 86_400;
/** People who share a device, and ways to spell their names. */
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

/** The cookie does not tell who signed in. */
const hashOf = (subject: string) => createHash('sha256').update(subject).digest('base64url').slice(0, HASH_CHARACTERS);
