import { hkdfSync } from 'node:crypto';

import type { Clock } from '@foyer/shared/clock';
import { requireStaff, type Staff } from '@foyer/shared/auth/viewer';
import { EncryptJWT, jwtDecrypt } from 'jose';

import { exportExpired } from './refusals.ts';

/** Who exports which orders. */
interface Wanted {
  viewer: Staff;
  /** An `OrderFilter`. */
  filter: object;
  /** Which orders they could see then, as a digest (`digestOf`). */
  scopeDigest: string;
}

/** The content of a link. */
interface Sealed extends Omit<Wanted, 'scopeDigest'> {
  reach: string;
}

/**
 * Links for browsers to fetch an export without a token. Nothing is stored: the link holds the viewer and the filter,
 * encrypted, for a few minutes. `openExport` checks whether the viewer may still fetch it.
 */
export interface OrderExports {
  seal(wanted: Wanted): Promise<{ url: string; expiresAt: Date }>;
  /** @throws {Refusal} `EXPORT_NOT_FOUND` */
  open(seal: string): Promise<Wanted>;
}

const LIFETIME_MS = 5 * 60_000;
const AUDIENCE = 'order-export';

/** @param secret what the key of the seal is derived from */
export function openExportLinks({
  secret,
  publicUrl,
  clock,
}: {
  secret: string;
  publicUrl: string;
  clock: Clock;
}): OrderExports {
  const key = new Uint8Array(hkdfSync('sha256', secret, 'ticketing', 'order-export/v1', 32));
  return {
    async seal({ viewer, filter, scopeDigest: reach }) {
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS);
      const seal = await new EncryptJWT({ viewer, filter, reach })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setExpirationTime(expiresAt)
        .encrypt(key);
      return { url: `${publicUrl}/exports/orders.csv?seal=${seal}`, expiresAt };
    },
    async open(seal) {
      const options = {
        audience: AUDIENCE,
        currentDate: clock.now(),
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      };
      const opened = await jwtDecrypt(seal, key, options).catch(() => null);
      if (!opened) throw exportExpired();
      // Authenticated encryption: only this server can have sealed it.
      const { viewer, filter, reach } = opened.payload as unknown as Sealed;
      return { viewer: requireStaff(viewer), filter, scopeDigest: reach };
    },
  };
}
