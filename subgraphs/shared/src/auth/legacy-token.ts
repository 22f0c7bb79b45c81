import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

import { uuidOf } from '../ids.ts';
import type { Customer, LegacyUser } from './viewer.ts';

/** The claims of a legacy token (HS256), of the ticketing routes that older clients call. */
const Claims = z.object({
  sub: z.string().optional(),
  custId: z.string().optional(),
  role: z.enum(['ADMIN', 'SYSADMIN', 'MEMBER', 'CUSTOMER']),
  /** The customer's session; tokens of the legacy system have none. */
  sid: z.string().optional(),
  iat: z.number().optional(),
  exp: z.number(),
});

type Holder = { custId: string; sessionId?: string } | { subject: string; role: LegacyUser['role'] };

/**
 * Signs a legacy token: for a customer of the storefront, or for staff of an older client.
 *
 * @param lifetimeSeconds how long it is valid
 */
export async function signLegacyToken(
  secret: string,
  holder: Holder,
  lifetimeSeconds: number,
  now = new Date(),
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims =
    'custId' in holder
      ? { custId: holder.custId, role: 'CUSTOMER', ...(holder.sessionId && { sid: holder.sessionId }) }
      : { role: holder.role };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject('custId' in holder ? holder.custId : holder.subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(new TextEncoder().encode(secret));
}

/** The bearer of a legacy token; null when it isn't a valid one. */
export async function verifyLegacyToken(
  secret: string,
  token: string,
  now = new Date(),
): Promise<LegacyUser | Customer | null> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      currentDate: now,
    });
    const { sub, custId, role, sid, iat, exp: expiresAt } = Claims.parse(payload);
    if (role !== 'CUSTOMER') return { kind: 'legacy-user', subject: sub ?? '', role, expiresAt };
    const id = custId ?? sub;
    if (!id) return null;
    return {
      kind: 'customer',
      custId: uuidOf(id) ?? id,
      ...(sid && { sessionId: uuidOf(sid) ?? sid }),
      issuedAt: iat ?? 0,
      expiresAt,
    };
  } catch {
    return null;
  }
}
