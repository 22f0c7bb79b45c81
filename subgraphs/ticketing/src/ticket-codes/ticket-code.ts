import { sign, verify, type KeyObject } from 'node:crypto';

import { decode, encode } from 'base45';

/**
 * A ticket code is `T1:` and, in Base45 (RFC 9285: the letters a QR code packs densest), 24 bytes
 * that say what it admits to and their Ed25519 signature. Anyone with the public key can
 * check it offline.
 *
 * | bytes | meaning |
 * |---|---|
 * | 0 | version (1) in the upper four bits, kind in the lower: 1 one admission, 2 a whole order line |
 * | 1 | which key signed |
 * | 2–6 | ticketId, of a line orderTicketInfoId |
 * | 7–8 | serial of the admission within its line, of a line its quantity |
 * | 9–12 | ticketGroupId |
 * | 13–14 | admit date, in days since 1970-01-01 |
 * | 15–23 | random: a code can't be guessed from another |
 */
export interface TicketFacts {
  kind: 'admission' | 'line';
  /** ticketId, or orderTicketInfoId of a line. */
  id: bigint;
  /** From 1; of a line the number of admissions. At most 65,535. */
  serial: number;
  ticketGroupId: bigint;
  /** A calendar day, as UTC midnight. */
  admitDate: Date;
}

export interface SigningKey {
  /** 0–255 */
  kid: number;
  privateKey: KeyObject;
}

export interface VerifyingKey {
  kid: number;
  publicKey: KeyObject;
}

export const NONCE_BYTES = 9;

const PREFIX = 'T1:';
const VERSION = 1;
const PAYLOAD_BYTES = 24;
const SIGNATURE_BYTES = 64;
const DAY_MS = 86_400_000;
const kinds = { admission: 1, line: 2 } as const;

/**
 * Writes a ticket code.
 *
 * @param nonce nine random bytes
 * @throws {RangeError} when a number does not fit its bytes
 */
export function ticketCode(facts: TicketFacts, { kid, privateKey }: SigningKey, nonce: Uint8Array): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeUInt8((VERSION << 4) | kinds[facts.kind], 0);
  payload.writeUInt8(kid, 1);
  payload.writeUIntBE(Number(facts.id), 2, 5);
  payload.writeUInt16BE(facts.serial, 7);
  payload.writeUInt32BE(Number(facts.ticketGroupId), 9);
  payload.writeUInt16BE(facts.admitDate.getTime() / DAY_MS, 13);
  payload.set(nonce.subarray(0, NONCE_BYTES), 15);
  return PREFIX + encode(Buffer.concat([payload, sign(null, payload, privateKey)]));
}

/** The result of checking a text as a ticket code. */
export type Reading =
  | { result: 'good'; facts: TicketFacts }
  /** Not a ticket code of this version, or not in its canonical form. */
  | { result: 'malformed' }
  /** Its key is not among these: it is another installation's, or no longer published. */
  | { result: 'unknown-key' }
  /** Its key did not sign it. */
  | { result: 'forged' };

/** Reads a ticket code and checks its signature. A code can't say whether the ticket was used or revoked. */
export function inspectTicketCode(code: string, keys: readonly VerifyingKey[]): Reading {
  const bytes = bytesOf(code);
  const kind = bytes && Object.entries(kinds).find(([, byte]) => bytes.readUInt8(0) === ((VERSION << 4) | byte))?.[0];
  if (!bytes || !kind) return { result: 'malformed' };
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const signature = bytes.subarray(PAYLOAD_BYTES);
  const named = keys.filter(({ kid }) => kid === payload.readUInt8(1));
  if (named.length === 0) return { result: 'unknown-key' };
  if (!named.some(({ publicKey }) => verify(null, payload, publicKey, signature))) return { result: 'forged' };

  const facts = {
    kind: kind as TicketFacts['kind'],
    id: BigInt(payload.readUIntBE(2, 5)),
    serial: payload.readUInt16BE(7),
    ticketGroupId: BigInt(payload.readUInt32BE(9)),
    admitDate: new Date(payload.readUInt16BE(13) * DAY_MS),
  };
  return { result: 'good', facts };
}

/** @returns null for anything that none of these keys has signed */
export function readTicketCode(code: string, keys: readonly VerifyingKey[]): TicketFacts | null {
  const reading = inspectTicketCode(code, keys);
  return reading.result === 'good' ? reading.facts : null;
}

function bytesOf(code: string): Buffer | null {
  if (!code.startsWith(PREFIX)) return null;
  const text = code.slice(PREFIX.length);
  const bytes = decode(text);
  // The decoder accepts any text; only the canonical form counts, so that a ticket has exactly one code.
  const exact = bytes.length === PAYLOAD_BYTES + SIGNATURE_BYTES && encode(bytes) === text;
  return exact ? bytes : null;
}
