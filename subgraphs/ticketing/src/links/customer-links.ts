import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import type { CustomerLinkKind } from '@foyer/prisma/client';

/** How long a link is valid. */
export const LINK_SECONDS = 3_600;

const ID_BYTES = 16;
const pageOf: Record<CustomerLinkKind, string> = { verify: '/account/verify', reset: '/account/reset-password' };

/** The links in mails to customers. No secret is stored: the token is signed, and its row says whether it is still valid. */
export interface CustomerLinks {
  urlOf(link: { id: string; kind: CustomerLinkKind }): string;
  /** @returns the id of the link; null for a forged token, or one of another kind */
  idOf(token: string, kind: CustomerLinkKind): string | null;
}

/** @param secret what the key is derived from */
export function openCustomerLinks({ secret, publicUrl }: { secret: string; publicUrl: string }): CustomerLinks {
  const key = new Uint8Array(hkdfSync('sha256', secret, 'ticketing', 'customer-link/v1', 32));
  const seal = (id: Buffer, kind: CustomerLinkKind) => createHmac('sha256', key).update(kind).update(id).digest();
  return {
    urlOf({ id, kind }) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return `${publicUrl}${pageOf[kind]}?token=${Buffer.concat([bytes, seal(bytes, kind)]).toString('base64url')}`;
    },
    idOf(token, kind) {
      const bytes = Buffer.from(token, 'base64url');
      const id = bytes.subarray(0, ID_BYTES);
      const expected = seal(id, kind);
      const given = bytes.subarray(ID_BYTES);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
