import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';

import { gatewayMoment } from '../units/calendar.ts';
import { ringgitText, senOfText } from '../units/money.ts';
import type { PaymentClaims } from '#ports/payment-gateway.ts';

/** The protocol PGv1, as both sides write it (docs/decisions: payment wire). */

const SALT = 'ticketing-gateway';
const RETURN_LIFE_SECONDS = 900;

/** The two keys of one shared secret. */
export interface WireKeys {
  mac: Uint8Array;
  encryption: Uint8Array;
}

/** @param secret 32 bytes that Foyer and the gateway share */
export function wireKeys(secret: Uint8Array): WireKeys {
  const derive = (info: string) => new Uint8Array(hkdfSync('sha256', secret, SALT, info, 32));
  return { mac: derive('pg/req-mac/v1'), encryption: derive('pg/ret-enc/v1') };
}

/**
 * Serializes fields canonically: no two sets of fields give the same text.
 *
 * @example `"PGv1\nagToken=FOYER&amount=1.00"`
 */
export function canonical(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields)
    .filter((name) => name !== 'checksum')
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `PGv1\n${names.map((name) => `${name}=${encodeURIComponent((fields[name] ?? '').normalize('NFC'))}`).join('&')}`;
}

/** @returns HMAC-SHA-512 in lower-case hex, 128 characters */
export const checksum = (fields: Readonly<Record<string, string>>, { mac }: WireKeys): string =>
  createHmac('sha512', mac).update(canonical(fields)).digest('hex');

/** Whether the fields carry the checksum of one of these keys. */
export function isSealed(fields: Readonly<Record<string, string>>, keys: readonly WireKeys[]): boolean {
  const claimed = Buffer.from(fields['checksum'] ?? '', 'utf8');
  return keys.some((key) => {
    const right = Buffer.from(checksum(fields, key), 'utf8');
    return claimed.length === right.length && timingSafeEqual(claimed, right);
  });
}

/** The gateway's claims about a payment, as they are transmitted. */
export const ReturnClaims = z.object({
  v: z.literal(1),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  aud: z.string(),
  orderNo: z.string().min(1).max(64),
  billId: z.string().max(64),
  transactionId: z.string().max(64),
  gatewayTransactionId: z.string().max(64),
  statusCode: z.string().min(1).max(8),
  statusMessage: z.string().max(200),
  amount: z.string(),
  currency: z.string().max(8),
  bankCode: z.string().max(32),
  bankName: z.string().max(120),
  msgToken: z.string().max(8),
  paidAt: z.iso.datetime({ offset: true }).or(z.literal('')),
});

export type ReturnClaims = z.output<typeof ReturnClaims>;

/** Encrypts claims so that only the other side can read them, and nobody can change them. */
export const sealClaims = (claims: ReturnClaims, { encryption }: WireKeys, kid = 'gw1'): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, typ: 'pgr+jwe' })
    .encrypt(encryption);

/**
 * Decrypts what the other side sealed. While a secret is being replaced there are two keys, and each is tried, because
 * the key id in the header proves nothing.
 *
 * @throws {Error} for anything that was not sealed with one of these keys
 */
export async function openClaims(payload: string, keys: readonly WireKeys[]): Promise<ReturnClaims> {
  const { typ } = decodeProtectedHeader(payload);
  if (typ !== 'pgr+jwe') throw new Error('not a payment return');
  const opened = await Promise.any(
    keys.map(({ encryption }) =>
      compactDecrypt(payload, encryption, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }),
    ),
  );
  return ReturnClaims.parse(JSON.parse(new TextDecoder().decode(opened.plaintext)));
}

/** Makes the claims of a gateway at a moment. */
export const claimsAt = (
  now: Date,
  said: Omit<ReturnClaims, 'v' | 'iat' | 'exp' | 'paidAt' | 'amount'> & { amountSen: bigint; paidAt: Date | null },
): ReturnClaims => {
  const { amountSen, paidAt, ...rest } = said;
  const iat = Math.floor(now.getTime() / 1_000);
  return {
    ...rest,
    v: 1,
    iat,
    exp: iat + RETURN_LIFE_SECONDS,
    amount: ringgitText(amountSen),
    paidAt: paidAt ? gatewayMoment(paidAt) : '',
  };
};

/** @throws {Error} when the amount is invalid */
export function claimsOf(raw: ReturnClaims): PaymentClaims {
  const amountSen = senOfText(raw.amount);
  if (amountSen === null) throw new Error('not an amount');
  const { jti, orderNo, billId, transactionId, gatewayTransactionId, statusCode, statusMessage } = raw;
  const { currency, bankCode, bankName, msgToken } = raw;
  return {
    jti,
    orderNo,
    billId,
    transactionId,
    gatewayTransactionId,
    statusCode,
    statusMessage,
    amountSen,
    currency,
    bankCode,
    bankName,
    msgToken,
    raw,
    paidAt: raw.paidAt ? new Date(raw.paidAt) : null,
  };
}
